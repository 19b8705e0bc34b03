import GameLogic
import Isolation
import Programs
import PushPolicy
import Testing

@testable import PartyStore

@Suite("A PostgreSQL that goes away", .serialized)
struct PostgreSQLOutageTests {
    @Test(
        "PR1: what was acknowledged is there after a crash, and the store goes on by itself",
        arguments: [PostgreSQLServer.Order.crash, .stop])
    func outage(end: PostgreSQLServer.Order) async throws {
        let server = try PostgreSQLServer()
        let events = Locked<[StoreEvent]>([])
        let store = try await PostgreSQLStore.open(
            server.address(), pauseMilliseconds: 0
        ) { event in
            events.withLock { $0.append(event) }
        }
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        try server.order(end)
        await #expect(throws: StoreError.self) {
            try await store.commit(Fixture.touched(joined), epoch: epoch)
        }
        await #expect {
            _ = try await store.party(PartyID("p"))
        } throws: { error in
            if case .unavailable = error as? StoreError { true } else { false }
        }
        #expect(
            events.withLock { $0 }.contains { if case .writingStopped = $0 { true } else { false } }
        )
        #expect(!events.withLock { $0 }.contains(.writingResumed))
        try server.order(.start)
        #expect(try await store.party(PartyID("p")) == joined.stored)
        await store.refusals.tryAgain()
        try await store.ping()
        #expect(events.withLock { $0 }.contains(.writingResumed))
        try await store.commit(Fixture.touched(joined), epoch: epoch)
        #expect(try await store.party(PartyID("p"))?.version == joined.stored.version + 1)
        await store.close()
    }

    @Test("a connection that died between two calls costs nobody a failure")
    func idle() async throws {
        let server = try PostgreSQLServer()
        let store = try await PostgreSQLStore.open(server.address())
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        try server.order(.stop)
        try server.order(.start)
        try await store.commit(Fixture.touched(joined), epoch: epoch)
        #expect(try await store.party(PartyID("p"))?.version == joined.stored.version + 1)
        await store.close()
    }

    @Test(
        "PR20: a change that the synchronous standby lacks is not acknowledged",
        arguments: ["pg_cancel_backend", "pg_terminate_backend"])
    func withoutStandby(end: String) async throws {
        var settings = PostgreSQLServer.Settings()
        settings.lines = ["synchronous_standby_names = 'missing'"]
        let server = try PostgreSQLServer(settings)
        let alone = try await PostgreSQLStore.open(
            PostgreSQLAddress(server.uri + "&options=-csynchronous_commit%3Dlocal"))
        let epoch = try await alone.takeOwnership()
        let joined = try await Fixture.party("p", in: alone, epoch: epoch)
        await alone.close()
        let store = try await PostgreSQLStore.open(
            server.address(), pauseMilliseconds: 0
        ) { _ in }
        let changed = Fixture.touched(joined)
        let commit = Task { try await store.commit(changed, epoch: epoch) }
        let waiting = "SELECT \(end)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while try await server.query(waiting).isEmpty {}
        await #expect {
            try await commit.value
        } throws: { error in
            if case .unavailable = error as? StoreError { true } else { false }
        }
        // The change is in doubt: this primary has it.
        #expect(try await store.party(PartyID("p")) == changed.stored)
        let pause = PushPause(since: Fixture.noon, by: "owner")
        let call = Task { try await store.set(pause, as: MovedGame.call, epoch: epoch) }
        while try await server.query(waiting).isEmpty {}
        await #expect(throws: StoreError.self) { _ = try await call.value }
        // All servers learn of it by what is written with it, this one too.
        #expect(try await store.nodeTable().news == [.pause: 1])
        try server.order(.set("synchronous_standby_names = ''"))
        await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
            try await store.commit(changed, epoch: epoch)
        }
        try await store.commit(Fixture.touched(changed), epoch: epoch)
        await store.close()
    }

    @Test("a node that is cut off in a transaction frees its locks, and has written nothing")
    func abandoned() async throws {
        let folder = try TemporaryFolder()
        let store = try await PostgreSQLStore.open(folder.schema())
        let epoch = try await store.takeOwnership()
        try Self.abandon(folder.schema(), epoch)
        #expect(try await store.takeOwnership().number == epoch.number + 1)
        await store.close()
    }

    /// Locks everything, and is gone: the connection closes, as at the end of its process.
    private static func abandon(_ address: PostgreSQLAddress, _ epoch: Epoch) throws {
        let session = try PostgreSQLSession(address)
        session.begin(.writing)
        try session.require(epoch)
        try session.run("UPDATE cluster SET epoch = epoch + 5", [])
    }
}
