internal import CPostgreSQL

/// Where a PostgreSQL is: a URI of libpq, as in `postgresql://rangers@one,two/rangers`.
///
/// It has no password: other users of the machine would see it in the list of processes. libpq
/// finds the password in `PGPASSWORD`, or in the file that `PGPASSFILE` or `passfile` names.
package struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible {
    /// How URIs of libpq begin.
    private static let schemes = ["postgresql://", "postgres://"]
    private static let secrets: Set<String> = ["password", "sslpassword"]
    /// What a connection has unless the URI says otherwise: only a server that can write is good
    /// enough, and a connection that is dead is noticed in seconds.
    private static let defaults = [
        "target_session_attrs": "read-write", "application_name": "rangers", "keepalives": "1",
        "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
        "tcp_user_timeout": "10000",
    ]

    /// The options of libpq for each host, in the order in which they are tried.
    let hosts: [[String: String]]
    /// The address for messages.
    package let description: String

    /// What an address must be, for a message that does not repeat it.
    package struct Fault: Error, Hashable {
        package let expected: String
    }

    /// Whether a text is meant as a URI, and not as the name of a file.
    package static func isURI(_ text: String) -> Bool { schemes.contains(where: text.hasPrefix) }

    /// Reads a URI.
    package init(_ uri: String) throws(Fault) {
        guard Self.isURI(uri), let options = Self.parse(uri) else {
            throw Fault(
                expected: "a URI of libpq, such as postgresql://rangers@db.example:5432/rangers")
        }
        guard options.keys.allSatisfy({ !Self.secrets.contains($0) }) else {
            throw Fault(
                expected: "a URI without a password, which the list of processes would show: put "
                    + "it into the file that PGPASSFILE names, or into PGPASSWORD")
        }
        let names = Self.list(options["host"])
        let addresses = Self.list(options["hostaddr"])
        let ports = Self.list(options["port"])
        let count = max(names.count, addresses.count, 1)
        guard [names.count, addresses.count].allSatisfy({ [0, count].contains($0) }),
            [0, 1, count].contains(ports.count)
        else { throw Fault(expected: "a URI with one port, or one for each host") }
        hosts = (0..<count).map { index in
            var host = Self.defaults.merging(options) { _, given in given }
            if !names.isEmpty { host["host"] = names[index] }
            if !addresses.isEmpty { host["hostaddr"] = addresses[index] }
            if !ports.isEmpty { host["port"] = ports[ports.count == 1 ? 0 : index] }
            return host
        }
        let places = hosts.map { host in
            let port = host["port"] ?? ""
            return (host["host"] ?? host["hostaddr"] ?? "") + (port.isEmpty ? "" : ":\(port)")
        }
        description =
            "postgresql://" + (options["user"].map { "\($0)@" } ?? "")
            + places.joined(separator: ",") + "/" + (options["dbname"] ?? "")
    }

    private static func list(_ text: String?) -> [String] {
        text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// Returns the options that the URI sets; `nil`: libpq cannot read it.
    private static func parse(_ uri: String) -> [String: String]? {
        guard let parsed = PQconninfoParse(uri, nil) else { return nil }
        defer { PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var next = parsed
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val {
                options[String(cString: keyword)] = String(cString: value)
            }
            next += 1
        }
        return options
    }
}
