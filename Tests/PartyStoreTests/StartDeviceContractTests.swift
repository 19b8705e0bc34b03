import Content
import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: devices on which cards can be started")
struct StartDeviceContractTests {
    private let other = PlayerID("player-2")
    private let key = Fixture.device().key

    /// Two players, and a device of the first.
    private func withDevice(
        _ kind: StoreKind, _ body: (any Store, Epoch) async throws -> Void
    ) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            try await store.insert(Fixture.record(of: other, hash: 2), epoch: epoch)
            _ = try await store.put(Fixture.device(), by: .unnamed, amongAtMost: 8, epoch: epoch)
            try await body(store, epoch)
        }
    }

    private func devices(_ store: any Store) async throws -> [StartDevice] {
        try await store.startDevices(of: [Fixture.player]).map(\.unversioned)
    }

    /// What the store knows of the first device, with the version that it has there.
    private func known(_ store: any Store) async throws -> StartDevice {
        try #require(try await store.startDevices(of: [Fixture.player]).first)
    }

    /// A device with a start on its way.
    private func started(_ device: StartDevice = Fixture.device()) throws -> StartDevice {
        let hero = Fixture.hero(1)
        var party = Party(id: PartyID("p"))
        _ = try party.apply(.join(hero), at: .zero)
        let events = try party.apply(.start(seed: 1, EmbeddedPacks.classic), at: .zero)
        let planner = StartPlanner(
            party: party, registrations: [], rollingOver: [], limits: .standard,
            now: Fixture.noon)
        var devices = [device]
        let plan = planner.plan(
            StartPlanner.occasions(in: events, party: party), devices: &devices)
        try #require(plan.pushes.count == 1)
        return devices[0]
    }

    @Test("A7: a device is found by its player, and by nobody else", arguments: StoreKind.allCases)
    func reading(kind: StoreKind) async throws {
        try await withDevice(kind) { store, _ in
            let others = try await store.startDevices(of: [other])
            #expect(try await devices(store) == [Fixture.device()])
            #expect(others.isEmpty)
        }
    }

    @Test("A7: a rotated token takes the place of the old one", arguments: StoreKind.allCases)
    func rotation(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let rotated = Fixture.device(token: "11")
            let put = try await store.put(rotated, by: .unnamed, amongAtMost: 8, epoch: epoch)
            #expect(put == .written)
            #expect(try await devices(store) == [rotated])
        }
    }

    @Test(
        "the same token, put again, does not become newer, but is confirmed, whatever the clock says",
        arguments: StoreKind.allCases)
    func sameToken(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let later = Fixture.noon.adding(seconds: 60)
            for time in [later, Fixture.noon] {
                _ = try await store.put(
                    Fixture.device(registeredAt: time), by: .unnamed, amongAtMost: 8, epoch: epoch)
            }
            let traits = try await devices(store)[0].traits
            #expect(traits.tokenRegisteredAt == Fixture.noon)
            #expect(traits.tokenConfirmedAt == later.adding(milliseconds: 1))
        }
    }

    @Test("the environments of a device are apart", arguments: StoreKind.allCases)
    func environments(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let production = Fixture.device(environment: .production)
            _ = try await store.put(production, by: .unnamed, amongAtMost: 8, epoch: epoch)
            #expect(try await devices(store) == [production, Fixture.device()])
        }
    }

    @Test(
        "A7: who puts a token takes it from whoever had it, with what was started there",
        arguments: StoreKind.allCases)
    func takeover(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let before = try started(await known(store))
            try await store.write(startsOf: [before], epoch: epoch)
            _ = try await store.put(
                Fixture.device(of: other), by: .unnamed, amongAtMost: 8, epoch: epoch)
            #expect(try await devices(store).isEmpty)
            let taken = try await store.startDevices(of: [other])
            #expect(taken.map(\.starts) == [before.starts])
        }
    }

    @Test(
        "what was started and what the app says are written apart", arguments: StoreKind.allCases)
    func writtenApart(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            _ = try await store.put(
                Fixture.device(token: "11"), by: .unnamed, amongAtMost: 8, epoch: epoch)
            var started = try started(await known(store))
            try await store.write(startsOf: [started], epoch: epoch)
            #expect(try await devices(store) == [started.unversioned])
            _ = try await store.put(
                Fixture.device(token: "22"), by: .unnamed, amongAtMost: 8, epoch: epoch)
            started.token = PushToken(hex: "22")
            #expect(try await devices(store) == [started.unversioned])
        }
    }

    @Test(
        "what was started is not written over a device that has changed",
        arguments: StoreKind.allCases)
    func stale(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let old = try started(await known(store))
            try await store.write(startsOf: [old], epoch: epoch)
            await #expect(throws: StoreError.staleDevice(Fixture.player)) {
                try await store.write(startsOf: [old], epoch: epoch)
            }
            var commit = Fixture.newParty("p")
            commit.startDevices = [old]
            let stale = commit
            await #expect(throws: StoreError.staleDevice(Fixture.player)) {
                try await store.commit(stale, epoch: epoch)
            }
            #expect(try await store.party(PartyID("p")) == nil)
        }
    }

    @Test("what a party's commit starts is written with it", arguments: StoreKind.allCases)
    func commit(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let started = try started(await known(store))
            var commit = Fixture.newParty("p")
            commit.startDevices = [started]
            try await store.commit(commit, epoch: epoch)
            #expect(try await devices(store) == [started.unversioned])
        }
    }

    @Test("a commit that is refused starts nothing", arguments: StoreKind.allCases)
    func refusedCommit(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let created = Fixture.newParty("p")
            try await store.commit(created, epoch: epoch)
            var stale = created
            stale.startDevices = [try started(await known(store))]
            let commit = stale
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await store.commit(commit, epoch: epoch)
            }
            #expect(try await devices(store) == [Fixture.device()])
        }
    }

    @Test("a token that was taken back is gone, the guard stays", arguments: StoreKind.allCases)
    func forgetting(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let started = try started(await known(store))
            try await store.write(startsOf: [started], epoch: epoch)
            for count in [1, 0] {
                let forgotten = try await store.forgetStartToken(
                    of: key.device, player: Fixture.player, epoch: epoch)
                #expect(forgotten == count)
            }
            let left = try await devices(store)
            #expect(left.map(\.token) == [nil])
            #expect(left.map(\.starts) == [started.starts])
        }
    }

    @Test(
        "A6: a dead token is retired if it is still this one and was not put again",
        arguments: StoreKind.allCases)
    func retiring(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let token = PushToken(hex: "0ddba11d")
            let later = Fixture.noon.adding(seconds: 60)
            _ = try await store.put(
                Fixture.device(registeredAt: later), by: .unnamed, amongAtMost: 8, epoch: epoch)
            let cases: [(PushToken, WallTime, Bool)] = [
                (PushToken(hex: "11"), later, true), (token, Fixture.noon, true),
                (token, later, false),
            ]
            for (token, confirmedAt, survives) in cases {
                try await store.retireStartToken(
                    token, of: key, confirmedAt: confirmedAt, epoch: epoch)
                let left = try await devices(store)[0].token
                #expect((left != nil) == survives)
            }
        }
    }

    @Test("a player has so many devices and no more", arguments: StoreKind.allCases)
    func limit(kind: StoreKind) async throws {
        try await withDevice(kind) { store, epoch in
            let second = Fixture.device("phone-2", token: "22")
            let third = Fixture.device("phone-3", token: "33")
            let put = try await store.put(second, by: .unnamed, amongAtMost: 2, epoch: epoch)
            #expect(put == .written)
            #expect(
                try await store.put(third, by: .unnamed, amongAtMost: 2, epoch: epoch) == .noRoom)
            #expect(try await devices(store) == [Fixture.device(), second])
            _ = try await store.forgetStartToken(
                of: second.key.device, player: Fixture.player, epoch: epoch)
            #expect(
                try await store.put(third, by: .unnamed, amongAtMost: 2, epoch: epoch) == .written)
            #expect(try await devices(store) == [Fixture.device(), third])
        }
    }

    @Test("PR2: an older owner writes nothing", arguments: StoreKind.allCases)
    func fence(kind: StoreKind) async throws {
        try await withDevice(kind) { store, old in
            _ = try await store.takeOwnership()
            let started = try started()
            await #expect(throws: StoreError.notTheOwner) {
                _ = try await store.put(
                    Fixture.device(token: "1"), by: .unnamed, amongAtMost: 8, epoch: old)
            }
            await #expect(throws: StoreError.notTheOwner) {
                try await store.write(startsOf: [started], epoch: old)
            }
            await #expect(throws: StoreError.notTheOwner) {
                try await store.retireStartToken(
                    PushToken(hex: "0ddba11d"), of: key, confirmedAt: Fixture.noon, epoch: old)
            }
            await #expect(throws: StoreError.notTheOwner) {
                _ = try await store.forgetStartToken(
                    of: key.device, player: Fixture.player, epoch: old)
            }
            #expect(try await devices(store) == [Fixture.device()])
        }
    }
}
