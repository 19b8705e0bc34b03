import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("The store contract: the budgets of phones")
struct PhoneContractTests {
    private static let phone = PhoneKey(player: Fixture.player, device: DeviceID("phone"))
    private static let activity = ActivityID("one")

    private static func allowance(
        share: Int = PhoneAllowance.whole, debt: Int64 = 0, at time: WallTime = Fixture.noon
    ) -> PhoneAllowance {
        PhoneAllowance(
            share: share, debt: debt, hourly: 0, alertsAt: [], lastActionAt: nil, asOf: time)
    }

    private static func record(
        _ store: any Store, _ phone: PhoneKey = Self.phone
    ) async throws -> PhoneRecord {
        try #require(try await store.phones([phone]).first)
    }

    /// Writes a change of the party that has these effects on phones. Returns it.
    @discardableResult
    private static func write(
        _ changes: [PhoneChange], after commit: PartyCommit, in store: any Store, _ epoch: Epoch
    ) async throws -> PartyCommit {
        var next = Fixture.touched(commit)
        next.phones = changes
        let made = next
        try await store.commit(made, epoch: epoch)
        return made
    }

    @Test(
        "what ended activities leave is added up, and the next one takes all of it",
        arguments: StoreKind.allCases)
    func leftAndTaken(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var last = try await Fixture.party("p", in: store, epoch: epoch)
            let none = try await Self.record(store)
            #expect(none.version == 0 && none.left == nil)
            for (share, debt) in [(16, Int64(100)), (32, 200)] {
                let left = Self.allowance(share: share, debt: debt)
                last = try await Self.write(
                    [.leaves(Self.phone, of: Self.activity, left)], after: last, in: store, epoch)
            }
            let found = try await Self.record(store)
            #expect(found.version == 2)
            #expect(found.left == Self.allowance(share: 48, debt: 300))
            try await Self.write(
                [.takes(Self.phone, version: 2, at: Fixture.noon)], after: last, in: store, epoch)
            let taken = try await Self.record(store)
            #expect(taken.version == 3 && taken.left == nil)
        }
    }

    @Test(
        "who takes what somebody has changed since is refused, and takes nothing",
        arguments: StoreKind.allCases)
    func stale(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            let left = Self.allowance(share: 8)
            let last = try await Self.write(
                [.leaves(Self.phone, of: Self.activity, left)], after: joined, in: store, epoch)
            for version in [Int64(0), 2] {
                var late = Fixture.touched(
                    last, activities: [Fixture.activity("one", party: "p")])
                late.phones = [.takes(Self.phone, version: version, at: Fixture.noon)]
                let refused = late
                await #expect(throws: StoreError.staleDevice(Fixture.player)) {
                    try await store.commit(refused, epoch: epoch)
                }
            }
            #expect(try await Self.record(store).left == left)
            #expect(try await store.activity(Self.activity) == nil)
        }
    }

    @Test(
        "200 activities that register at once on one phone: one takes what is left",
        arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            let parties = (0..<200).map { Fixture.newParty("p\($0)") }
            for party in parties { try await store.commit(party, epoch: epoch) }
            let taken = await withTaskGroup(of: Bool.self) { group in
                for party in parties {
                    group.addTask {
                        do throws(StoreError) {
                            var change = Fixture.touched(party)
                            change.phones = [.takes(Self.phone, version: 0, at: Fixture.noon)]
                            change.activities = [
                                Fixture.activity(
                                    "of \(party.stored.id)", party: party.stored.id.rawValue,
                                    token: nil)
                            ]
                            try await store.commit(change, epoch: epoch)
                            return true
                        } catch {
                            #expect(error == .staleDevice(Fixture.player))
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 1)
            #expect(try await Self.record(store).version == 1)
        }
    }

    @Test(
        "an activity that ends leaves no more than letters on their way let it keep",
        arguments: StoreKind.allCases)
    func promised(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            func letter(_ share: Int, _ activity: String = "one") -> PartyLetter {
                PartyLetter(
                    to: PartyID("p"), ActivityID(activity), .keepsShare(share),
                    number: Int64(share))
            }
            let letters = [letter(32), letter(16), letter(1, "another")]
            try await store.send(letters, keeping: nil, epoch: epoch)
            let last = try await Self.write(
                [.leaves(Self.phone, of: Self.activity, Self.allowance(debt: 400))],
                after: joined, in: store, epoch)
            #expect(try await Self.record(store).left == Self.allowance(share: 16, debt: 100))
            // A change that takes a letter has done what it says.
            var taking = Fixture.touched(last)
            taking.takenLetters = [letter(16), letter(32)]
            taking.phones = [
                .leaves(Self.phone, of: Self.activity, Self.allowance(share: 16, debt: 100))
            ]
            try await store.commit(taking, epoch: epoch)
            #expect(try await Self.record(store).left == Self.allowance(share: 32, debt: 200))
        }
    }

    @Test(
        "a phone's record has the player's parties, and the letters to them",
        arguments: StoreKind.allCases)
    func parties(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            try await store.commit(Fixture.newParty("of others"), epoch: epoch)
            let letters = ["p", "of others"].map {
                PartyLetter(to: PartyID($0), Self.activity, .keepsShare(3), number: 1)
            }
            try await store.send(letters, keeping: nil, epoch: epoch)
            let found = try await Self.record(store)
            #expect(found.parties == [joined.stored])
            #expect(found.letters == [letters[0]])
        }
    }

    @Test(
        "what is older than an hour goes with the next row; phones of others stay",
        arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var last = try await Fixture.party("p", in: store, epoch: epoch)
            let unnamed = PhoneKey(player: Fixture.player, device: nil)
            let others = PhoneKey(player: PlayerID("player-2"), device: nil)
            try await store.insert(
                Fixture.record(of: others.player, hash: 2), epoch: epoch)
            for phone in [Self.phone, others] {
                last = try await Self.write(
                    [.leaves(phone, of: Self.activity, Self.allowance())], after: last, in: store,
                    epoch)
            }
            let later = Self.allowance(at: Fixture.noon.adding(seconds: 3601))
            try await Self.write(
                [.leaves(unnamed, of: Self.activity, later)], after: last, in: store, epoch)
            #expect(try await Self.record(store).version == 0)
            #expect(try await Self.record(store, unnamed).left == later)
            #expect(try await Self.record(store, others).version == 1)
        }
    }

    @Test("a deleted account leaves no row of a phone", arguments: StoreKind.allCases)
    func deleted(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            let party = Fixture.newParty("p")
            try await store.commit(party, epoch: epoch)
            let leaving = [
                PhoneChange.leaves(Self.phone, of: Self.activity, Self.allowance())
            ]
            let last = try await Self.write(leaving, after: party, in: store, epoch)
            for change in [
                AccountChange.beginErasure(Fixture.player, at: Fixture.noon),
                .finishErasure(Fixture.player),
            ] {
                _ = try await store.change(change, keeping: nil, epoch: epoch)
            }
            #expect(try await Self.record(store).version == 0)
            try await Self.write(leaving, after: last, in: store, epoch)
            #expect(try await Self.record(store).version == 0)
        }
    }
}
