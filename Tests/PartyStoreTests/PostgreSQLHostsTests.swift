import Foundation
import GameLogic
import Programs
import Testing

@testable import PartyStore

/// An address of several hosts, of which one takes writes.
@Suite("A PostgreSQL at one of several hosts", .serialized, .timeLimit(.minutes(2)))
struct PostgreSQLHostsTests {
    private static let count = "SELECT count(*) FROM parties"

    private static func settings(port: UInt16) -> PostgreSQLServer.Settings {
        var settings = PostgreSQLServer.Settings()
        settings.port = port
        return settings
    }

    /// Returns the address of servers at these ports.
    private static func address(_ ports: [UInt16]) throws -> PostgreSQLAddress {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        return try PostgreSQLAddress(
            "postgresql://rangers@\(hosts)/postgres?target_session_attrs=read-write")
    }

    /// Opens the store, and writes and reads a party.
    private static func play(_ ports: [UInt16]) async throws {
        let store = try await PostgreSQLStore.open(address(ports), pauseMilliseconds: 0) { _ in }
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        try await store.commit(Fixture.touched(joined), epoch: epoch)
        #expect(try await store.party(PartyID("p"))?.version == joined.stored.version + 1)
        await store.close()
    }

    @Test("a host that refuses connections is passed over")
    func refused() async throws {
        let ports = [try LoopbackPort.free(), try LoopbackPort.free()]
        let server = try PostgreSQLServer(Self.settings(port: ports[1]))
        #expect(!LoopbackPort.isOpen(ports[0]))
        try await Self.play(ports)
        #expect(try await server.query(Self.count) == "1\n")
    }

    @Test("a host that only reads is passed over")
    func readOnly() async throws {
        let ports = [try LoopbackPort.free(), try LoopbackPort.free()]
        let reading = try PostgreSQLServer(Self.settings(port: ports[0]))
        try reading.order(.set("default_transaction_read_only = on"))
        let writing = try PostgreSQLServer(Self.settings(port: ports[1]))
        try await Self.play(ports)
        #expect(try await writing.query(Self.count) == "1\n")
        let tables = "SELECT count(*) FROM pg_class WHERE relname = 'parties'"
        #expect(try await reading.query(tables) == "0\n")
        // Without a host that writes there is no store, and that may pass.
        try writing.order(.set("default_transaction_read_only = on"))
        await #expect {
            _ = try await PostgreSQLStore.open(Self.address(ports))
        } throws: { error in
            if case .unavailable = error as? StoreError { true } else { false }
        }
    }

    /// Starts a server whose port wants a password, which its socket does not.
    private static func guarded(port: UInt16, password: String) async throws -> PostgreSQLServer {
        let server = try PostgreSQLServer(settings(port: port))
        try await server.query(
            """
            ALTER ROLE rangers PASSWORD '\(password)';
            COPY (VALUES ('local all all trust'), ('host all all 127.0.0.1/32 scram-sha-256'))
                TO '\(server.folder)/data/pg_hba.conf'
            """)
        try server.order(.stop)
        try server.order(.start)
        return server
    }

    @Test("a password comes from a file; without it the store is unavailable, and says why")
    func password() async throws {
        let port = try LoopbackPort.free()
        let server = try await Self.guarded(port: port, password: "hush-hush")
        let folder = try TemporaryFolder()
        let file = folder.file + ".pgpass"
        let address = try PostgreSQLAddress("\(server.uri)?passfile=\(file)")
        for (password, reason) in [(nil, "PGPASSFILE"), ("wrong-one", "authentication failed")] {
            if let password { try Self.write(password, to: file) }
            await #expect {
                _ = try await PostgreSQLStore.open(address, pauseMilliseconds: 0) { _ in }
            } throws: { error in
                guard case .unavailable(let detail) = error as? StoreError else { return false }
                return detail.contains(reason) && password.map(detail.contains) != true
            }
        }
        try Self.write("hush-hush", to: file)
        let store = try await PostgreSQLStore.open(address, pauseMilliseconds: 0) { _ in }
        let epoch = try await store.takeOwnership()
        _ = try await Fixture.party("p", in: store, epoch: epoch)
        #expect(try await server.query(Self.count) == "1\n")
        await store.close()
    }

    /// Writes a file of passwords, which only its owner may read: libpq ignores others.
    private static func write(_ password: String, to file: String) throws {
        try Data("*:*:*:rangers:\(password)\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    /// A primary whose commits wait for the standby.
    private static func pair(
        primary: UInt16, standby: UInt16
    ) throws -> (primary: PostgreSQLServer, standby: PostgreSQLServer) {
        let first = try PostgreSQLServer(settings(port: primary))
        let second = try PostgreSQLServer(
            standbyOf: first, name: "standby", settings(port: standby))
        try first.order(.set("synchronous_standby_names = 'standby'"))
        return (first, second)
    }

    @Test("PR20: a standby is passed over, and used once it is the primary, without a restart")
    func standby() async throws {
        let ports = [try LoopbackPort.free(), try LoopbackPort.free()]
        let (primary, standby) = try Self.pair(primary: ports[1], standby: ports[0])
        let store = try await PostgreSQLStore.open(
            Self.address(ports), pauseMilliseconds: 0
        ) { _ in }
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        try primary.order(.crash)
        await #expect {
            try await store.commit(Fixture.touched(joined), epoch: epoch)
        } throws: { error in
            if case .unavailable = error as? StoreError { true } else { false }
        }
        try standby.order(.promote)
        #expect(try await store.party(PartyID("p")) == joined.stored)
        try await store.commit(Fixture.touched(joined), epoch: epoch)
        #expect(try await store.party(PartyID("p"))?.version == joined.stored.version + 1)
        #expect(try await standby.query(Self.count) == "1\n")
        await store.close()
    }

    @Test("a host that stops taking writes while it is connected is left")
    func demoted() async throws {
        let ports = [try LoopbackPort.free(), try LoopbackPort.free()]
        let (primary, standby) = try Self.pair(primary: ports[0], standby: ports[1])
        let store = try await PostgreSQLStore.open(
            Self.address(ports), pauseMilliseconds: 0
        ) { _ in }
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        for _ in 0..<PostgreSQLStore.readerCount {
            #expect(try await store.party(PartyID("p")) == joined.stored)
        }
        try primary.order(.set("default_transaction_read_only = on"))
        try standby.order(.promote)
        // The first statements meet the host that has changed, and go to the other one.
        try await store.commit(Fixture.touched(joined), epoch: epoch)
        #expect(
            try await standby.query("SELECT version FROM parties")
                == "\(joined.stored.version + 1)\n")
        // The connections that read have left it too: it lacks the newest row.
        for _ in 0..<PostgreSQLStore.readerCount {
            #expect(try await store.party(PartyID("p"))?.version == joined.stored.version + 1)
        }
        await store.close()
    }
}
