import Programs

@testable import PartyStore

extension PostgreSQLServer {
    /// The one that the store's contract runs on.
    static let shared = Result { try PostgreSQLServer() }

    /// Returns the address of a schema.
    func address(schema: String = "public") throws -> PostgreSQLAddress {
        try PostgreSQLAddress(uri(schema: schema))
    }

    /// Returns the same for another program.
    func uri(schema: String) -> String { uri + "&options=-csearch_path%3D\(schema)" }

    /// Runs statements that an operator could run.
    func run(_ script: String) throws {
        try PostgreSQLLink(address()).run(script: script)
    }
}
