import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("The store contract: letters to other parties")
struct InboxContractTests {
    private static let token = PushToken(hex: "00ff")

    /// A store with two parties of one player. The first has the activity "old", with a push token.
    struct Scene {
        let store: any TableStore
        let epoch: Epoch
        let first: PartyCommit
        let second: PartyCommit

        func letters() async throws -> [PartyLetter] {
            try await store.letters(of: epoch, limit: 100)
        }

        /// The change of the second party that gives the token to the activity "new".
        func moving(_ letters: [PartyLetter]) -> PartyCommit {
            var commit = Fixture.touched(
                second, activities: [Fixture.activity("new", party: "q")])
            commit.letters = letters
            return commit
        }
    }

    private static func letter(
        _ change: PartyLetter.Change = .losesToken(confirmedAt: Fixture.noon), number: Int64 = 7,
        of activity: String = "old", to party: String = "p"
    ) -> PartyLetter {
        PartyLetter(to: PartyID(party), ActivityID(activity), change, number: number)
    }

    private func withScene(
        _ kind: StoreKind, _ body: (Scene) async throws -> Void
    ) async throws {
        try await kind.withStore { store, epoch in
            try await body(try await Self.scene(in: store, epoch))
        }
    }

    private static func scene(in store: any TableStore, _ epoch: Epoch) async throws -> Scene {
        let joined = try await Fixture.party("p", in: store, epoch: epoch, heroes: 2)
        let first = Fixture.touched(joined, activities: [Fixture.activity("old", party: "p")])
        try await store.commit(first, epoch: epoch)
        let created = Fixture.newParty("q")
        try await store.commit(created, epoch: epoch)
        let second = try Fixture.next(created, .join(Fixture.hero(2)))
        try await store.commit(second, epoch: epoch)
        return Scene(store: store, epoch: epoch, first: first, second: second)
    }

    @Test(
        "a letter is written with the change that sends it, and deleted with the one that takes it",
        arguments: StoreKind.allCases)
    func oneTransaction(kind: StoreKind) async throws {
        try await withScene(kind) { scene in
            var sending = Fixture.touched(scene.second)
            sending.letters = [
                Self.letter(), Self.letter(.keepsShare(32), number: 8),
                Self.letter(.isInState(.ended), number: 9),
            ]
            try await scene.store.commit(sending, epoch: scene.epoch)
            let sent = sending.letters
            #expect(try await scene.letters() == sent)
            #expect(try await scene.store.letters(of: scene.epoch, limit: 2).count == 2)
            var taking = Fixture.touched(
                scene.first, activities: [Fixture.activity("old", party: "p", token: nil)])
            taking.takenLetters = Array(sent.prefix(2))
            try await scene.store.commit(taking, epoch: scene.epoch)
            #expect(try await scene.letters() == [sent[2]])
            #expect(try await scene.store.activity(ActivityID("old"))?.pushToken == nil)
        }
    }

    @Test(
        "a letter is taken once: the next change with it is refused", arguments: StoreKind.allCases)
    func takenOnce(kind: StoreKind) async throws {
        try await withScene(kind) { scene in
            try await scene.store.send([Self.letter()], keeping: nil, epoch: scene.epoch)
            var taking = Fixture.touched(scene.first)
            taking.takenLetters = [Self.letter()]
            try await scene.store.commit(taking, epoch: scene.epoch)
            var again = Fixture.touched(
                taking, activities: [Fixture.activity("old", party: "p", token: "aa")])
            again.takenLetters = [Self.letter()]
            let refused = again
            await #expect(throws: StoreError.staleLetters(PartyID("p"))) {
                try await scene.store.commit(refused, epoch: scene.epoch)
            }
            #expect(try await scene.store.activity(ActivityID("old"))?.pushToken == Self.token)
            #expect(try await scene.store.party(PartyID("p"))?.version == taking.stored.version)
        }
    }

    @Test("a change that is refused sends no letter and takes none", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withScene(kind) { scene in
            try await scene.store.send([Self.letter()], keeping: nil, epoch: scene.epoch)
            // Its version is the stored one already.
            var stale = scene.first
            stale.takenLetters = [Self.letter()]
            stale.letters = [Self.letter(number: 8, of: "new", to: "q")]
            let refused = stale
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await scene.store.commit(refused, epoch: scene.epoch)
            }
            #expect(try await scene.letters() == [Self.letter()])
        }
    }

    @Test("PR2: letters outlive their sender's server, and an older owner takes none")
    func nextOwner() async throws {
        for kind in StoreKind.allCases {
            let folder = try TemporaryFolder()
            let older = try await kind.open(in: folder)
            let scene = try await Self.scene(in: older, older.takeOwnership())
            var sending = Fixture.touched(scene.second)
            sending.letters = [Self.letter()]
            try await older.commit(sending, epoch: scene.epoch)
            let newer = try await kind.open(in: folder)
            let epoch = try await newer.takeOwnership()
            #expect(try await newer.letters(of: epoch, limit: 9) == [Self.letter()])
            var taking = Fixture.touched(scene.first)
            taking.takenLetters = [Self.letter()]
            let late = taking
            await #expect(throws: StoreError.notTheOwner) {
                try await older.commit(late, epoch: scene.epoch)
            }
            #expect(try await newer.letters(of: epoch, limit: 9).count == 1)
            try await newer.commit(late, epoch: epoch)
            #expect(try await newer.letters(of: epoch, limit: 9) == [])
            await older.close()
            await newer.close()
        }
    }

    @Test(
        "T5: a token moves to an activity of another party with the letter that says so",
        arguments: StoreKind.allCases)
    func tokenMoves(kind: StoreKind) async throws {
        try await withScene(kind) { scene in
            let taken = StoreError.tokenIsTaken(by: ActivityID("old"))
            await #expect(throws: taken) {
                try await scene.store.commit(scene.moving([]), epoch: scene.epoch)
            }
            // Other letters to its holder say nothing of the token, nor does one about another time.
            let early = Fixture.noon.adding(milliseconds: -1)
            for change in [PartyLetter.Change.keepsShare(1), .losesToken(confirmedAt: early)] {
                await #expect(throws: taken) {
                    try await scene.store.commit(
                        scene.moving([Self.letter(change)]), epoch: scene.epoch)
                }
            }
            #expect(try await scene.letters() == [])
            try await scene.store.commit(scene.moving([Self.letter()]), epoch: scene.epoch)
            #expect(try await scene.letters() == [Self.letter()])
            // The older activity can write nothing until its owner has taken the letter.
            let older = Fixture.touched(
                scene.first, activities: [Fixture.activity("old", party: "p")])
            await #expect(throws: StoreError.tokenIsTaken(by: ActivityID("new"))) {
                try await scene.store.commit(older, epoch: scene.epoch)
            }
        }
    }

    @Test(
        "letters that come with a request are sent once with its key",
        arguments: StoreKind.allCases)
    func sentOnce(kind: StoreKind) async throws {
        try await withScene(kind) { scene in
            let request = KeptRequest(
                key: RequestKey(player: Fixture.player, key: "key", request: "request"),
                status: 200, object: .nothing, at: Fixture.noon)
            try await scene.store.send([Self.letter()], keeping: request, epoch: scene.epoch)
            await #expect(throws: StoreError.requestIsKept) {
                try await scene.store.send(
                    [Self.letter(number: 8)], keeping: request, epoch: scene.epoch)
            }
            #expect(try await scene.letters() == [Self.letter()])
        }
    }

    @Test(
        "letters to a party that is given up go with it, and none come after",
        arguments: StoreKind.allCases)
    func abandoned(kind: StoreKind) async throws {
        try await withScene(kind) { scene in
            try await scene.store.send([Self.letter()], keeping: nil, epoch: scene.epoch)
            let isRemoved = try await scene.store.abandon(
                PartyID("p"), as: MovedGame.call, epoch: scene.epoch)
            #expect(isRemoved)
            try await scene.store.send([Self.letter()], keeping: nil, epoch: scene.epoch)
            #expect(try await scene.letters() == [])
        }
    }

    @Test(
        "200 changes that take one letter at once: one does, and the others are refused",
        arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        try await withScene(kind) { scene in
            try await scene.store.send([Self.letter()], keeping: nil, epoch: scene.epoch)
            let taken = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        var taking = Fixture.touched(scene.first)
                        taking.takenLetters = [Self.letter()]
                        do throws(StoreError) {
                            try await scene.store.commit(taking, epoch: scene.epoch)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 1)
            #expect(try await scene.letters() == [])
        }
    }

    @Test("letters of one change have numbers of their own, the same each time")
    func numbers() {
        var numbers: Set<Int64> = []
        for party in 1...10 {
            for version: Int64 in 1...10 {
                for index in 0..<10 {
                    let key = PartyKey(number: Int64(party))
                    let number = PartyLetter.number(of: index, from: key, version: version)
                    #expect(number >= 0)
                    #expect(
                        number == PartyLetter.number(of: index, from: key, version: version))
                    numbers.insert(number)
                }
            }
        }
        #expect(numbers.count == 1000)
    }
}
