import Foundation
import Testing

@testable import PartyStore

@Suite("Addresses of PostgreSQL")
struct PostgreSQLAddressTests {
    @Test(
        "a password in the address is refused, and the message does not repeat it",
        arguments: [
            "postgresql://rangers:s3cret@db/rangers", "postgresql://db/rangers?password=s3cret",
            "postgres://db/rangers?sslpassword=s3cret",
        ])
    func password(uri: String) {
        let fault = #expect(throws: PostgreSQLAddress.Fault.self) { try PostgreSQLAddress(uri) }
        #expect(fault?.expected.contains("PGPASSFILE") == true)
        #expect(fault?.expected.contains("s3cret") == false)
    }

    @Test(
        "what libpq cannot read is refused",
        arguments: [
            "rangers.db", "mysql://db/rangers", "postgresql://db/rangers?nonsense=1",
            "postgresql://a,b,c:1,d:2/rangers?hostaddr=127.0.0.1", "",
        ])
    func unreadable(uri: String) {
        #expect(throws: PostgreSQLAddress.Fault.self) { try PostgreSQLAddress(uri) }
    }

    @Test("each host is tried with its own port, for writing only")
    func hosts() throws {
        let address = try PostgreSQLAddress(
            "postgresql://rangers@one:5433,two/game?sslmode=require")
        #expect(address.hosts.map { $0["host"] } == ["one", "two"])
        #expect(address.hosts.map { $0["port"] } == ["5433", ""])
        for host in address.hosts {
            #expect(host["target_session_attrs"] == "read-write")
            #expect(host["sslmode"] == "require")
            #expect(host["user"] == "rangers")
        }
        #expect(address.description == "postgresql://rangers@one:5433,two/game")
    }

    @Test("what the address says counts more than what connections have otherwise")
    func given() throws {
        let address = try PostgreSQLAddress("postgresql:///game?target_session_attrs=any")
        #expect(address.hosts.map { $0["target_session_attrs"] } == ["any"])
    }

    @Test("a database that nobody serves is unavailable, not broken")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let address = try PostgreSQLAddress("postgresql:///game?host=\(folder.url.path)")
        await #expect {
            _ = try await PostgreSQLStore.open(address)
        } throws: { error in
            if case .unavailable = error as? StoreError { true } else { false }
        }
    }
}
