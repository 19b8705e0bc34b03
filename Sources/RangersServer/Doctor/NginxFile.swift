internal import PartyStore

/// The configuration of nginx in front of servers: the file of Resources, with their addresses, and
/// with a location for each to which another one may send requests.
struct NginxFile {
    /// What stands for one server in the file.
    private static let upstream = "    upstream rangers { server 127.0.0.1:8080; keepalive 64; }\n"
    /// The first of the file's own locations without a path: those of servers come before.
    private static let end = "        location @crowded {\n"
    /// What only game masters reach.
    private static let masters = (
        start: "        # Game masters, from their network only.\n",
        end: "        location /v1/ {"
    )

    /// An address of a server, and the name of its group in the file.
    private struct Target {
        let server: String
        let address: String
        let group: String
    }

    private let addresses: [String]
    /// `nil`: game masters reach servers where players do.
    private let adminAddresses: [String]?
    /// Empty: there is one server.
    private let targets: [Target]

    /// Creates the file for servers; one with the address of another before it is the same.
    init(of places: [NodePlace]) {
        var known: Set<String> = [""]
        let servers = places.reversed().filter { known.insert($0.address).inserted }
            .sorted { $0.address < $1.address }
        addresses = servers.map(\.address)
        let haveOwn = servers.contains { $0.adminAddress != $0.address }
        adminAddresses = haveOwn ? servers.map(\.adminAddress).filter { !$0.isEmpty } : nil
        guard servers.count > 1 else {
            targets = []
            return
        }
        targets = servers.enumerated().flatMap { number, server in
            let name = "server_\(number + 1)"
            let own = Target(server: server.name, address: server.address, group: name)
            guard ![server.address, ""].contains(server.adminAddress) else { return [own] }
            let admin = Target(
                server: server.name, address: server.adminAddress, group: name + "_admin")
            return [own, admin]
        }
    }

    var text: String {
        var text = String(decoding: PackageResources.nginx_conf, as: UTF8.self)
        if let admin = adminAddresses, !admin.isEmpty,
            let start = text.firstRange(of: Self.masters.start)?.lowerBound,
            let end = text.firstRange(of: Self.masters.end)?.lowerBound
        {
            text.replaceSubrange(
                start..<end,
                with: text[start..<end].replacing("http://rangers;", with: "http://game_masters;"))
        }
        return text.replacing(Self.upstream, with: groups)
            .replacing(Self.end, with: locations + Self.end)
    }

    private var groups: String {
        var groups = Self.group("rangers", of: addresses)
        if let adminAddresses, !adminAddresses.isEmpty {
            groups += Self.group("game_masters", of: adminAddresses)
        }
        return targets.reduce(groups) { $0 + Self.group($1.group, of: [$1.address]) }
    }

    private static func group(_ name: String, of addresses: [String]) -> String {
        let servers = addresses.map { "server \($0);" }.joined(separator: " ")
        return "    upstream \(name) { \(servers) keepalive 64; }\n"
    }

    private var locations: String {
        guard !targets.isEmpty else { return "" }
        let lines = targets.map { target in
            """
                    # \(target.server)
                    location @\(target.address) { set $redirected 1; proxy_pass http://\(target.group); }

            """
        }
        return "        # Where a request is played again that another server has sent on.\n"
            + lines.joined() + "\n"
    }
}
