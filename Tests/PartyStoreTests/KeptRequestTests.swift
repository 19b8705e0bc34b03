import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("D1: requests that may be repeated")
struct KeptRequestTests {
    private static func request(
        _ key: String = "key", of player: PlayerID = Fixture.player,
        _ object: KeptRequest.Object = .nothing, at time: WallTime = Fixture.noon
    ) -> KeptRequest {
        KeptRequest(
            key: RequestKey(player: player, key: key, request: "request"), status: 201,
            object: object, at: time)
    }

    @Test(
        "a key is taken once, whatever arrives at once: the other heroes are not written",
        arguments: StoreKind.allCases)
    func manyAtOnce(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            let written = await withTaskGroup(of: Bool.self) { group in
                for number in 1...200 {
                    group.addTask {
                        do throws(StoreError) {
                            try await store.insert(
                                Fixture.hero(number), amongAtMost: 100,
                                keeping: Self.request(of: Fixture.player), epoch: epoch)
                            return true
                        } catch {
                            #expect(error == .requestIsKept)
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(written == 1)
            #expect(try await store.heroes(of: Fixture.player).count == 1)
        }
    }

    @Test(
        "a party's change whose key is taken is refused as a whole", arguments: StoreKind.allCases)
    func refusedChange(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch, heroes: 2)
            var first = Fixture.touched(joined)
            first.requests = [Self.request("key", .party(PartyID("p")))]
            try await store.commit(first, epoch: epoch)
            var second = try Fixture.next(first, .join(Fixture.hero(2)))
            second.requests = [Self.request()]
            let refused = second
            await #expect(throws: StoreError.requestIsKept) {
                try await store.commit(refused, epoch: epoch)
            }
            #expect(try await store.party(PartyID("p")) == first.stored)
            #expect(try await store.party(of: Fixture.hero(2).id) == nil)
            second.requests = []
            try await store.commit(second, epoch: epoch)
        }
    }

    @Test(
        "what is kept is read as written, and a day later its key is free",
        arguments: StoreKind.allCases)
    func kept(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let objects: [KeptRequest.Object] = [
                .nothing, .party(PartyID("p")), .hero(HeroID("h")), .reconciliation, .secret,
            ]
            for (number, object) in objects.enumerated() {
                let request = Self.request("key-\(number)", object)
                try await store.keep(request, epoch: epoch)
                #expect(try await store.request(with: request.key) == request)
            }
            let late = Fixture.noon.adding(seconds: KeptRequest.keptSeconds)
            let early = late.adding(milliseconds: -1)
            await #expect(throws: StoreError.requestIsKept) {
                try await store.keep(Self.request("key-1", at: early), epoch: epoch)
            }
            try await store.keep(Self.request("key-1", at: late), epoch: epoch)
            #expect(try await store.request(with: Self.request("key-1").key)?.at == late)
            #expect(try await store.request(with: Self.request("key-2").key) == nil)
        }
    }

    @Test("old requests are deleted in parts, newer ones stay", arguments: StoreKind.allCases)
    func deleted(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            for number in 0..<5 {
                let player = PlayerID("player-\(number)")
                let at = Fixture.noon.adding(seconds: Int64(number))
                try await store.keep(Self.request("key", of: player, at: at), epoch: epoch)
            }
            let time = Fixture.noon.adding(seconds: 2)
            #expect(try await store.forgetRequests(upTo: time, rows: 2, epoch: epoch) == 2)
            #expect(try await store.forgetRequests(upTo: time, rows: 2, epoch: epoch) == 1)
            let newest = Self.request("key", of: PlayerID("player-4")).key
            #expect(try await store.request(with: newest) != nil)
        }
    }

    @Test("a damaged row is reported, and not served")
    func damaged() async throws {
        let owned = try await OwnedStore()
        try await owned.store.keep(Self.request(), epoch: owned.epoch)
        try Database(path: owned.folder.file, access: .readWrite)
            .execute("UPDATE requests SET at = at + 1")
        await #expect(throws: StoreError.self) {
            _ = try await owned.store.request(with: Self.request().key)
        }
        #expect(try await owned.store.check().count == 1)
        await owned.store.close()
    }
}
