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
            "Where the other servers reach it; by default where it listens"),
        Option(
            "nodes-key-file", "FILE",
            "The file with the key that all servers of this database share, 32 characters or "
                + "more; readable by the server's user only (mode 0600)"),
        Option(
            "nodes-certificate", "FILE.pem",
            "The listener's certificate and its chain; needed unless it listens on a loopback "
                + "address"),
        Option("nodes-private-key", "FILE.pem", "Its private key"),
        Option(
            "nodes-authority", "FILE.pem",
            "The certificates of the authority that signs those of all servers"),
        Option("node-name", "NAME", "This server's name for people; by default the machine's"),
    ]

    private static let names = all.map(\.name)

    let values: OptionValues

    init(_ values: OptionValues) { self.values = values }

    /// Returns what the server is among others; `nil`: it keeps its game in a file.
    func settings() throws(OptionsError) -> NodeSettings? {
        guard values.text("store") != nil else {
            for name in Self.names where values.text(name) != nil {
                throw values.invalid(
                    name, expected: "left out: only servers with --store share one")
            }
            return nil
        }
        let link = values.text("nodes-listen") == nil ? nil : try link()
        return NodeSettings(name: values.text("node-name") ?? Self.hostName, link: link)
    }

    private func link() throws(OptionsError) -> NodeSettings.Link {
        var http = NodeListener.settings
        (http.host, http.port) = try values.address("nodes-listen")
        http.tls = try tls()
        do throws(NodeLinkError) {
            try NodeListener.requireProtection(host: http.host, tls: http.tls)
        } catch {
            throw values.invalid("nodes-listen", expected: error.description)
        }
        let address = try address(of: http)
        let authority = try values.text("nodes-authority").map { _ throws(OptionsError) in
            try text(of: "nodes-authority")
        }
        guard (authority == nil) == (http.tls == nil) else {
            throw values.invalid(
                "nodes-authority", expected: "given exactly when there is --nodes-certificate")
        }
        var link = NodeSettings.Link(key: try key())
        (link.http, link.address, link.authority) = (http, address, authority)
        return link
    }

    /// Returns where other servers reach the listener, if that is not where it listens.
    private func address(of http: HTTPServer.Settings) throws(OptionsError) -> NodeAddress? {
        guard let text = values.text("nodes-address") else {
            guard !["0.0.0.0", "::"].contains(http.host) else {
                throw values.invalid(
                    "nodes-address",
                    expected: "given: other servers cannot reach \(http.host)")
            }
            return nil
        }
        guard let address = NodeAddress(text) else {
            throw values.invalid("nodes-address", expected: "HOST:PORT, as in node-1.internal:9001")
        }
        return address
    }

    private func key() throws(OptionsError) -> NodeKey {
        do {
            let file = try KeyFile(file: try values.required("nodes-key-file"))
            return try NodeKey(file.secret)
        } catch let error as KeyFile.Unusable {
            throw values.invalid("nodes-key-file", expected: error.expected)
        } catch let error as NodeLinkError {
            throw values.invalid("nodes-key-file", expected: "a file with a usable key: \(error)")
        } catch let error as OptionsError {
            throw error
        } catch {
            throw values.invalid("nodes-key-file", expected: "a readable file")
        }
    }

    private func tls() throws(OptionsError) -> HTTPServer.TLS? {
        guard values.text("nodes-certificate") != nil || values.text("nodes-private-key") != nil
        else { return nil }
        return HTTPServer.TLS(
            certificateChain: try text(of: "nodes-certificate"),
            privateKey: Secret(try text(of: "nodes-private-key")))
    }

    private func text(of name: String) throws(OptionsError) -> String {
        guard let text = try? String(contentsOfFile: try values.required(name), encoding: .utf8)
        else { throw values.invalid(name, expected: "a readable file") }
        return text
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
