internal import FoundationEssentials
internal import Glibc
internal import HTTPServer
internal import NodeLink
internal import OptionParsing
internal import Secrets

/// How a server finds the others that share its database, and how they find it.
struct NodeOptions {
    static let all = [
        Option(
            "nodes-listen", "HOST:PORT",
            "With --store: the listener for the other servers of this database"),
        Option(
            "nodes-address", "HOST:PORT",
            "The address at which the other servers reach this one, different on each server; by "
                + "default where it listens"),
        Option(
            "nodes-key-file", "FILE",
            "The file with the key that all servers of this database share, 32 characters or "
                + "more; readable by the server's user only (mode 0600)"),
        Option(
            "nodes-certificate", "FILE.pem",
            "The listener's certificate and its chain; required unless it listens on a loopback "
                + "address"),
        Option("nodes-private-key", "FILE.pem", "Its private key"),
        Option(
            "nodes-authority", "FILE.pem",
            "The CA certificates that verify the other servers"),
        Option("node-name", "NAME", "This server's name in messages; by default the host name"),
    ]

    /// The options that need a listener.
    private static let linkNames = all.map(\.name).filter {
        $0.hasPrefix("nodes-") && $0 != "nodes-listen"
    }
    /// The longest name of a server, in bytes.
    static let nameBytesMax = 64

    let values: OptionValues

    init(_ values: OptionValues) { self.values = values }

    /// Returns what the server is among others; `nil`: it keeps its game in a file.
    func settings() throws(OptionsError) -> NodeSettings? {
        guard try PlaceOptions.isDatabase(values) else {
            for option in Self.all where values.text(option.name) != nil {
                throw values.invalid(
                    option.name,
                    expected: "left out: only servers with --store can share their game")
            }
            return nil
        }
        return NodeSettings(name: try name(), link: try link())
    }

    private func name() throws(OptionsError) -> String {
        guard let name = values.text("node-name") else { return Self.hostName }
        guard (1...Self.nameBytesMax).contains(name.utf8.count),
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw values.invalid(
                "node-name",
                expected: "1 to \(Self.nameBytesMax) bytes without control characters")
        }
        return name
    }

    // MARK: The listener

    private func link() throws(OptionsError) -> NodeSettings.Link? {
        guard values.text("nodes-listen") != nil else {
            for name in Self.linkNames where values.text(name) != nil {
                throw values.invalid(name, expected: "given with --nodes-listen")
            }
            return nil
        }
        var http = NodeListener.settings
        (http.host, http.port) = try values.address("nodes-listen")
        http.tls = try tls()
        var link = NodeSettings.Link(key: try key())
        link.authority = try authority(with: http.tls)
        link.address = try address(of: http)
        link.http = http
        return link
    }

    /// Returns where other servers reach the listener, if that is not where it listens. Plain HTTP
    /// would carry the key and players' tokens over a network.
    private func address(of http: HTTPServer.Settings) throws(OptionsError) -> NodeAddress? {
        let protected =
            "a loopback address, or protected by TLS: give --nodes-certificate, "
            + "--nodes-private-key and --nodes-authority"
        guard (try? NodeListener.requireProtection(host: http.host, tls: http.tls)) != nil else {
            throw values.invalid("nodes-listen", expected: protected)
        }
        guard let text = values.text("nodes-address") else {
            guard !["0.0.0.0", "::"].contains(http.host) else {
                throw values.invalid(
                    "nodes-listen",
                    expected: "an address that other servers can reach, unless --nodes-address "
                        + "names one")
            }
            return nil
        }
        guard let address = NodeAddress(text) else {
            throw values.invalid("nodes-address", expected: "HOST:PORT, as in node-1.internal:9001")
        }
        guard address.isLoopback || http.tls != nil else {
            throw values.invalid("nodes-address", expected: protected)
        }
        return address
    }

    private func key() throws(OptionsError) -> NodeKey {
        let path = try values.required("nodes-key-file")
        do {
            return try NodeKey(try KeyFile(file: path, lengthMin: NodeKey.bytesMin).secret)
        } catch let error as KeyFile.Unusable {
            throw values.invalid("nodes-key-file", expected: error.expected)
        } catch {
            throw values.invalid("nodes-key-file", expected: "a file with a usable key: \(error)")
        }
    }

    // MARK: TLS

    private func tls() throws(OptionsError) -> HTTPServer.TLS? {
        guard values.text("nodes-certificate") != nil || values.text("nodes-private-key") != nil
        else { return nil }
        let chain = try pem("CERTIFICATE", in: "nodes-certificate")
        let path = try values.required("nodes-private-key")
        guard !PrivateFile.isOpenToOthers(path) else {
            throw values.invalid(
                "nodes-private-key",
                expected: "a file readable by the server's user only: run 'chmod 600' on it")
        }
        return HTTPServer.TLS(
            certificateChain: chain,
            privateKey: Secret(try pem("PRIVATE KEY", in: "nodes-private-key")))
    }

    private func authority(with tls: HTTPServer.TLS?) throws(OptionsError) -> String? {
        guard tls == nil else { return try pem("CERTIFICATE", in: "nodes-authority") }
        guard values.text("nodes-authority") == nil else {
            throw values.invalid("nodes-authority", expected: "given with --nodes-certificate")
        }
        return nil
    }

    /// Returns the text of a file that has something of this kind in PEM.
    private func pem(_ kind: String, in name: String) throws(OptionsError) -> String {
        let path = try values.required(name)
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            text.contains("-----BEGIN"), text.contains("\(kind)-----")
        else {
            throw values.invalid(
                name, expected: "a readable file in PEM with a \(kind.lowercased())")
        }
        return text
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
