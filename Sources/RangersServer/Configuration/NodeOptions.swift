internal import Glibc
internal import HTTPServer
internal import OptionParsing
internal import PartyStore

/// What a server is among others that share its database.
struct NodeOptions {
    static let all = [
        Option(
            "node-address", "HOST:PORT",
            "With --store: where the proxy reaches this server, different on each; by default "
                + "--listen, unless every machine has that address"),
        Option(
            "node-admin-address", "HOST:PORT", "The same for --admin-listen, if there is one"),
        Option("node-name", "NAME", "This server's name in messages; by default the host name"),
    ]

    /// The longest name of a server, in bytes.
    static let nameBytesMax = 64

    let values: OptionValues

    init(_ values: OptionValues) { self.values = values }

    /// Returns what others know of the server; `nil`: it keeps its game in a file.
    func place() throws(OptionsError) -> NodePlace? {
        guard try PlaceOptions.isDatabase(values) else {
            for option in Self.all where values.text(option.name) != nil {
                throw values.invalid(
                    option.name,
                    expected: "left out: only servers with --store can share their game")
            }
            return nil
        }
        let url = try ListenOptions(values).publicURL()
        return NodePlace(
            name: try name(), address: try address("node-address", of: "listen"),
            adminAddress: try adminAddress(), publicURL: url.map { $0.origin + $0.path } ?? "")
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

    // MARK: Addresses

    private func adminAddress() throws(OptionsError) -> String? {
        let name = "node-admin-address"
        guard values.text("admin-listen") != nil else {
            guard values.text(name) == nil else {
                throw values.invalid(name, expected: "given with --admin-listen")
            }
            return nil
        }
        return try address(name, of: "admin-listen")
    }

    /// Returns where the proxy reaches a listener; empty: nowhere, so that no other server may use
    /// the database. An address that every machine has would be taken for that of a server before
    /// this one.
    private func address(_ name: String, of listener: String) throws(OptionsError) -> String {
        guard let text = values.text(name) else {
            let (host, port) = try values.address(listener)
            guard let own = NodeAddress(host: host, port: port), !own.isOfEveryMachine else {
                return ""
            }
            return own.description
        }
        guard let address = NodeAddress(text) else {
            throw values.invalid(name, expected: "HOST:PORT, as in 10.0.0.1:8080")
        }
        return address.description
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
