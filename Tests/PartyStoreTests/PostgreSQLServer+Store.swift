import Foundation
import Programs

@testable import PartyStore

extension PostgreSQLServer {
    /// The one that the store's contract runs on.
    static let shared = Result {
        let server = try PostgreSQLServer()
        if isPooled { try server.order(.pool) }
        return server
    }

    /// Whether the stores of the contract connect through PgBouncer.
    static let isPooled = ProcessInfo.processInfo.environment["STORE_POOLER"] == "pgbouncer"

    /// Returns the address of a schema.
    func address(schema: String = "public") throws -> PostgreSQLAddress {
        try PostgreSQLAddress(uri(schema: schema))
    }

    /// Returns the same for another program. A pooler takes no options of a session: its users have
    /// the names of their schemas.
    func uri(schema: String) -> String {
        Self.isPooled && schema != "public"
            ? pooledURI(user: schema) : uri + "&options=-csearch_path%3D\(schema)"
    }

    /// Creates a schema of a test's own.
    func create(schema: String) throws {
        try run("CREATE SCHEMA \(schema)")
        guard Self.isPooled else { return }
        try run(
            "CREATE ROLE \(schema) SUPERUSER LOGIN; ALTER ROLE \(schema) SET search_path = \(schema)"
        )
    }

    func drop(schema: String) throws {
        try run("DROP SCHEMA \(schema) CASCADE")
        if Self.isPooled { try run("DROP ROLE \(schema)") }
    }

    /// Runs statements that an operator could run.
    func run(_ script: String) throws {
        try PostgreSQLLink(address()).run(script: script)
    }
}
