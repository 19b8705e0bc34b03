import Content
import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: the server's time")
struct ClockContractTests {
    /// The server's time so many seconds after noon; the wall clock is an hour behind it.
    private func anchor(after seconds: Int64, boot: String = "2f3d") -> ClockAnchor {
        let time = Fixture.noon.adding(seconds: seconds)
        return ClockAnchor(
            time: time,
            reading: ClockReading(
                bootID: boot, sinceBoot: 1000 * seconds, wall: time.adding(seconds: -3600)))
    }

    @Test("PR12: a new store has no anchor, and no newest row", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) async throws {
        try await kind.withStore { store, _ in
            let record = try await store.clockRecord()
            #expect(record == ClockRecord())
        }
    }

    @Test(
        "PR12: the anchor saved last survives a restart, an earlier or a later time",
        arguments: StoreKind.allCases)
    func newest(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        for anchors in [
            [anchor(after: 60)], [anchor(after: 120), anchor(after: 180)],
            [anchor(after: 240), anchor(after: 90, boot: "")],
        ] {
            let store = try await kind.open(in: folder)
            let epoch = try await store.takeOwnership()
            for anchor in anchors {
                try await store.save(anchor, epoch: epoch)
                #expect(try await store.clockRecord().anchor == anchor)
            }
            await store.close()
            let next = try await kind.open(in: folder)
            #expect(try await next.clockRecord() == ClockRecord(anchor: anchors.last))
            await next.close()
        }
    }

    @Test(
        "PR12: the newest row of the journal is the one written last",
        arguments: StoreKind.allCases)
    func journal(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            #expect(try await store.clockRecord() == ClockRecord(newest: Fixture.noon))
            let later = Fixture.noon.adding(seconds: 5)
            try await store.commit(
                try Fixture.next(joined, .start(seed: 1, EmbeddedPacks.classic), when: later),
                epoch: epoch)
            try await store.save(anchor(after: 4), epoch: epoch)
            #expect(
                try await store.clockRecord()
                    == ClockRecord(anchor: anchor(after: 4), newest: later))
        }
    }

    @Test("PR2: an older owner saves no anchor", arguments: StoreKind.allCases)
    func fence(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let older = try await kind.open(in: folder)
        let epoch = try await older.takeOwnership()
        try await older.save(anchor(after: 60), epoch: epoch)
        let newer = try await kind.open(in: folder)
        let newEpoch = try await newer.takeOwnership()
        await #expect(throws: StoreError.notTheOwner) {
            try await older.save(anchor(after: 120), epoch: epoch)
        }
        #expect(try await newer.clockRecord().anchor == anchor(after: 60))
        try await newer.save(anchor(after: 180), epoch: newEpoch)
        await #expect(throws: StoreError.notTheOwner) {
            try await older.save(anchor(after: 240), epoch: epoch)
        }
        #expect(try await newer.clockRecord().anchor == anchor(after: 180))
        await older.close()
        await newer.close()
    }
}
