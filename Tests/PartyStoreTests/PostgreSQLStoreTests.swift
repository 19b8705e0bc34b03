import Content
import GameLogic
import Isolation
import Programs
import PushPolicy
import Testing

@testable import PartyStore

@Suite("The store in PostgreSQL")
struct PostgreSQLStoreTests {
    @Test("the rows are those of SQLite, byte by byte")
    func bytes() async throws {
        let sqlite = try await Self.rows(.sqlite)
        #expect(sqlite.count == 5)
        #expect(try await Self.rows(.postgreSQL) == sqlite)
    }

    /// Plays a party, and returns its rows as text.
    private static func rows(_ kind: StoreKind) async throws -> [String] {
        let found = Locked<[String]>([])
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            let started = try Fixture.next(
                joined, .start(seed: 7, EmbeddedPacks.classic, Departure()))
            try await store.commit(started, epoch: epoch)
            let last = Fixture.advanced(started, to: .minutes(3))
            try await store.commit(last, epoch: epoch)
            let rows = try await store.read { session in
                try session.rows(
                    """
                    SELECT key, id, invite_code, version, awake, state, crc FROM parties
                    """
                ) { "\(PartyRow($0).values)" }
                    + session.rows(
                        """
                        SELECT party, version, at, data, crc FROM journal ORDER BY version
                        """
                    ) { "\(JournalRow($0).values)" }
                    + session.rows("SELECT id, owner, data, crc FROM heroes") {
                        "\(DataRow($0, table: DataRow.heroes, keyCount: 2).values)"
                    }
            }
            found.withLock { $0 = rows }
        }
        return found.withLock { $0 }
    }

    @Test("many parties of one batch are written with those that are refused")
    func batch() async throws {
        try await StoreKind.postgreSQL.withStore { store, epoch in
            let parties = (1...300).map { number in
                // The 201st to 250th have a code that another party has.
                let code = (201...250).contains(number) ? "code-p\(number - 200)" : nil
                return Fixture.newParty("p\(number)", inviteCode: code)
            }
            for party in parties.prefix(200) { try await store.commit(party, epoch: epoch) }
            var batch = Batch()
            for party in parties.prefix(100) { batch.add(Fixture.touched(party)) }
            for party in parties[100..<200] { batch.add(Fixture.touched(Fixture.touched(party))) }
            for party in parties.suffix(100) { batch.add(party) }
            let results = await store.write(batch, epoch: epoch).parties.map(\.error)
            #expect(results.prefix(100).allSatisfy { $0 == nil })
            #expect(
                results[100..<200].allSatisfy { if case .staleVersion = $0 { true } else { false } }
            )
            #expect(
                results[200..<250].allSatisfy { $0 == .exists("a party with this invite code") })
            #expect(results.suffix(50).allSatisfy { $0 == nil })
            let kept = try await store.parties(after: nil, limit: 1000)
            #expect(kept.count == 250)
            #expect(kept.count { $0.version == 2 } == 100)
        }
    }

    @Test("PR10: a party that the database refuses harms no other of its batch")
    func isolated() async throws {
        try await StoreKind.postgreSQL.withStore { store, epoch in
            let (good, bad) = (Fixture.newParty("good"), Fixture.newParty("bad"))
            try await store.insert(Fixture.record(), epoch: epoch)
            try await store.commit(good, epoch: epoch)
            try await store.commit(bad, epoch: epoch)
            var batch = Batch()
            batch.add(Fixture.touched(good))
            var broken = Fixture.touched(bad)
            // Nobody has this hero: the row of the membership refers to nothing.
            broken.joined = [Fixture.hero(77)]
            batch.add(broken)
            let results = await store.write(batch, epoch: epoch).parties.map(\.error)
            #expect(results[0] == nil)
            guard case .corrupt(PartyID("bad"), _) = results[1] else {
                Issue.record("the party is not frozen: \(String(describing: results[1]))")
                return
            }
            #expect(try await store.party(PartyID("good"))?.version == 2)
            #expect(try await store.party(PartyID("bad"))?.version == 1)
        }
    }

    @Test("a host that wants another password damages no party", arguments: ["28P01", "28000"])
    func password(state: String) {
        let failure = SQLFailure(state: state, message: "that it wants a password")
        #expect(failure.isPassing)
        guard case .unavailable = failure.storeError else {
            Issue.record("\(failure.storeError)")
            return
        }
    }

    @Test("PR9: a refused writer of ticks learns without a turn that it may write again")
    func probe() async throws {
        let folder = try TemporaryFolder()
        let store = try await PostgreSQLStore.open(folder.schema())
        let epoch = try await store.join(NodePlace(name: "one", address: "127.0.0.1:1"))
        let party = Fixture.newParty("party")
        try await store.commit(party, epoch: epoch)
        let other = try PostgreSQLLink(folder.schema())
        try other.run(
            script: """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN RAISE EXCEPTION ''full'' USING ERRCODE = ''53100''; END';
                CREATE TRIGGER full_disk BEFORE UPDATE ON parties
                FOR EACH ROW EXECUTE FUNCTION refuse()
                """)
        await #expect(throws: StoreError.self) {
            try await store.commit(Fixture.touched(party), epoch: epoch)
        }
        try other.run(
            script: """
                DROP TRIGGER full_disk ON parties;
                BEGIN; SELECT id FROM turn FOR UPDATE
                """)
        await #expect(throws: StoreError.self) { try await store.ping() }
        await store.refusals.tryAgain()
        try await store.ping()
        // It has kept the turn until now.
        try other.run(script: "COMMIT")
        try await store.commit(Fixture.touched(party), epoch: epoch)
        await store.close()
    }

    @Test("PR9: on a full disk a small change that fits neither makes it ready nor fills the log")
    func smallChangesFit() async throws {
        let folder = try TemporaryFolder()
        let events = Locked<[StoreEvent]>([])
        let store = try await PostgreSQLStore.open(folder.schema()) { event in
            events.withLock { $0.append(event) }
        }
        let epoch = try await store.join(NodePlace(name: "one", address: "127.0.0.1:1"))
        var party = Fixture.newParty("party")
        try await store.commit(party, epoch: epoch)
        let other = try PostgreSQLLink(folder.schema())
        try other.run(
            script: """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS '
                BEGIN
                    IF octet_length(NEW.data) > 2000 THEN
                        RAISE EXCEPTION ''full'' USING ERRCODE = ''53100'';
                    END IF;
                    RETURN NEW;
                END';
                CREATE TRIGGER full_disk BEFORE INSERT ON journal
                FOR EACH ROW EXECUTE FUNCTION refuse();
                CREATE TRIGGER full_disk BEFORE INSERT ON write_checks
                FOR EACH ROW EXECUTE FUNCTION refuse()
                """)
        var large = Fixture.touched(party)
        large.events = (1...2000).map { PartyEvent(sequence: $0, time: .zero, kind: .stormRaised) }
        await #expect(throws: StoreError.self) { try await store.commit(large, epoch: epoch) }
        for _ in 0..<3 {
            party = Fixture.touched(party)
            try await store.commit(party, epoch: epoch)
            await store.refusals.tryAgain()
            await #expect(throws: StoreError.self) { try await store.ping() }
        }
        #expect(events.withLock { $0.count } == 1)
        try other.run(
            script: "DROP TRIGGER full_disk ON journal; DROP TRIGGER full_disk ON write_checks")
        await store.refusals.tryAgain()
        try await store.ping()
        #expect(events.withLock { $0.suffix(1) } == [.writingResumed])
        let rows = try await store.read { try $0.integer("SELECT count(*) FROM write_checks") }
        #expect(rows == 0)
        await store.close()
    }

    @Test("a renewal that waits for a row is given up, and keeps no connection")
    func renewalThatWaits() async throws {
        let folder = try TemporaryFolder()
        let store = try await PostgreSQLStore.open(folder.schema())
        let epoch = try await store.join(NodePlace(name: "one", address: "127.0.0.1:1"))
        let other = try PostgreSQLLink(folder.schema())
        try other.run(script: "BEGIN; SELECT epoch FROM node FOR UPDATE")
        await #expect {
            try await store.renew(epoch)
        } throws: { error in
            if case .unavailable = error as? StoreError { true } else { false }
        }
        let waiting = """
            SELECT count(*) FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE node%'
            """
        #expect(try await PostgreSQLServer.shared.get().query(waiting) == "0\n")
        try other.run(script: "ROLLBACK")
        #expect(try await store.renew(epoch) > 0)
        await store.close()
    }

    @Test("a transaction that another one is in the way of runs again, a limited number of times")
    func conflicts() async throws {
        let folder = try TemporaryFolder()
        let store = try await PostgreSQLStore.open(folder.schema())
        let runs = Locked(0)
        let conflict = SQLFailure(state: "40001", message: "could not serialize access")
        let number = try await store.writer.submit { _ in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run < PostgreSQLWriter.attemptsMax { throw conflict }
            return 7
        }
        #expect(number == 7)
        #expect(runs.withLock { $0 } == PostgreSQLWriter.attemptsMax)
        runs.withLock { $0 = 0 }
        await #expect(throws: conflict.storeError) {
            _ = try await store.writer.submit { _ in
                runs.withLock { $0 += 1 }
                throw conflict
            }
        }
        #expect(runs.withLock { $0 } == PostgreSQLWriter.attemptsMax)
        await store.close()
    }

    @Test("PR1: a transaction in which a statement failed is not taken for a commit")
    func swallowed() throws {
        let folder = try TemporaryFolder()
        let session = try PostgreSQLSession(folder.schema())
        // A schema is dropped with its folder, and so is its user of a pooler.
        withExtendedLifetime(folder) {
            session.begin(.writing)
            #expect(throws: SQLFailure.self) { try session.run("SELECT nonsense", []) }
            #expect(throws: SQLFailure.self) { try session.commit() }
        }
    }

    @Test("old rows of the journal are folded, and replay still proves the party")
    func fold() async throws {
        try await StoreKind.postgreSQL.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            var last = try Fixture.next(joined, .start(seed: 7, EmbeddedPacks.classic, Departure()))
            try await store.commit(last, epoch: epoch)
            for minute in 1...20 as ClosedRange<Int64> {
                last = Fixture.advanced(
                    last, to: .minutes(minute), when: Fixture.noon.adding(seconds: minute * 60))
                try await store.commit(last, epoch: epoch)
            }
            let cut = Fixture.noon.adding(seconds: 600)
            #expect(try await store.foldJournal(before: cut, rows: 1000, epoch: epoch) > 5)
            #expect(try await store.firstKeptEvent(of: PartyID("p")) > 1)
            let history = try #require(try await store.history(of: PartyID("p")))
            var party = try #require(history.start)
            let events = party.advance(to: .minutes(20))
            #expect(party == history.stored.party)
            #expect(events == history.events.map(\.event))
            #expect(try await store.clockRecord().newest == last.at)
        }
    }

    @Test("a statement that fails within a pipeline leaves the connection in step")
    func pipeline() async throws {
        let folder = try TemporaryFolder()
        let link = try PostgreSQLLink(folder.schema())
        let texts = ["SELECT 1", "SELECT nonsense", "SELECT 2"].map { Array($0.utf8CString) }
        let failure = #expect(throws: SQLFailure.self) {
            try link.run(pipeline: texts.map { ($0, PostgreSQLParameters()) })
        }
        #expect(failure?.code == "42703")
        let answers = try link.run(
            pipeline: [texts[0], texts[2]].map { ($0, PostgreSQLParameters()) })
        #expect(answers.map { $0.row(0).integer(0) } == [1, 2])
        #expect(link.isUsable)
    }

    @Test("a journal is read in parts, and each row once")
    func parts() async throws {
        try await StoreKind.postgreSQL.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            var last = try Fixture.next(joined, .start(seed: 7, EmbeddedPacks.classic, Departure()))
            try await store.commit(last, epoch: epoch)
            for second in 1...600 as ClosedRange<Int64> {
                last = Fixture.advanced(last, to: GameTime(milliseconds: second * 1000))
                var kept = last
                if kept.events.isEmpty {
                    // A row without events.
                    kept.decisions = [Fixture.decision(1)]
                }
                try await store.commit(kept, epoch: epoch)
            }
            let page = try await store.changes(of: PartyID("p"), after: 0, limit: 1000)
            let versions = try #require(page).changes.map(\.version)
            #expect(versions == Array(2...last.stored.version))
            let events = try await store.events(of: PartyID("p"), after: 5, limit: 3)
            #expect(events.map(\.event.sequence) == [6, 7, 8])
        }
    }

    // MARK: The schema

    @Test("two nodes that begin with an empty database at once both find its tables")
    func together() async throws {
        let folder = try TemporaryFolder()
        let address = try folder.schema()
        async let first = PostgreSQLStore.open(address)
        async let second = PostgreSQLStore.open(address)
        let (one, other) = try await (first, second)
        let epochs = try await [one.takeOwnership(), other.takeOwnership()]
        #expect(epochs[0] < epochs[1])
        await one.close()
        await other.close()
    }
}
