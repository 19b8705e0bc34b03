internal import CPostgreSQL

extension SQLFailure {
    /// A key is there already.
    private static let duplicate = "23505"
    /// Serialization failures and deadlocks: the same transaction may succeed now.
    private static let conflicts: Set<String> = ["40001", "40P01"]
    /// The server takes no writes, as a standby.
    static let readOnly = "25006"
    /// The connection keeps other statements, or other plans, than we believe: after a change of
    /// tables, or because of a pooler that was not recognised. A new connection may succeed.
    private static let strangeNames: Set<String> = ["26000", "42P05", "0A000"]
    /// Nobody knows whether the transaction will last.
    static let inDoubt = "08007"
    /// Canceled, read-only, a lock that was not free, an idle transaction that ended.
    private static let passing: Set<String> = ["57014", readOnly, "55P03", "25P03"]
    /// Classes that pass: connections, passwords, resources, and the operator's shutdown. A host that
    /// takes over may want another password, which is no fault of what was to be written.
    private static let passingClasses: Set<String> = ["08", "28", "53", "57", "58"]

    /// Creates the failure of a statement from its SQLSTATE.
    init(state: String, message: String) {
        self.init(
            kind: Self.kind(of: state), reporter: .postgreSQL, code: state, message: message)
    }

    /// Creates the failure of a connection, on which nothing more can be done.
    static func lost(_ message: String) -> SQLFailure {
        SQLFailure(state: "08006", message: message)
    }

    /// Whether the connection is of no more use, because of the statements that it keeps.
    var isOfNames: Bool { Self.strangeNames.contains(code) }

    private static func kind(of state: String) -> Kind {
        if state == duplicate { return .duplicate }
        if conflicts.contains(state) { return .conflict }
        if passing.contains(state) || strangeNames.contains(state)
            || passingClasses.contains(String(state.prefix(2)))
        {
            return .passing
        }
        return state == "XX001" || state == "XX002" ? .corruption : .other
    }
}
