import Content
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What a request has read, and what another one, of this node or of another, has changed before
/// the first one acts on it.
@Suite("Requests that others overtake", .timeLimit(.minutes(2)), .simulated)
struct OvertakenRequestTests {
    private static let call = AuditRecord(
        caller: nil, action: "test", target: nil, status: 200, at: WallTime(milliseconds: 0))

    @Test(
        "the push token of a device that is signed out meanwhile is not registered",
        arguments: ["push-to-start-tokens", "widgets"])
    func signedOut(tokens: String) async throws {
        let stage = try await Stage.make()
        let (panda, store) = (stage.panda, stage.store.store)
        let player = PlayerID(panda.id)
        @Sendable func put() async -> Int {
            guard tokens == "widgets" else {
                return await panda.offer("phone", token: "0ddba11d").status
            }
            return await panda.send(
                .put, "/v1/players/me/widgets/phone",
                #"{"pushToken":"0ddba11d","environment":"sandbox"}"#
            ).status
        }
        func isRegistered() async throws -> Bool {
            let devices = try await store.startDevices(of: [player])
            return try await !store.widgets(of: player).isEmpty || !devices.isEmpty
        }
        #expect(await put() == 204)
        #expect(try await isRegistered())
        stage.store.hold()
        async let status = put()
        await stage.store.untilHolding()
        _ = try await store.change(
            .signOut(player, as: Self.call), keeping: nil, epoch: stage.server.server.game.epoch)
        stage.store.release()
        #expect(await status == 401)
        #expect(try await !isRegistered())
        await stage.server.server.drain()
    }

    @Test("a card is not registered for a hero who leaves meanwhile")
    func left() async throws {
        let stage = try await Stage.make()
        let panda = stage.panda
        stage.store.afterReading(.memberships) {
            _ = await panda.send(
                .post, "/v1/parties/\(stage.party)/actions",
                #"{"hero":"\#(panda.hero)","action":"leave"}"#)
        }
        let answer = await panda.watch("activity-2")
        #expect(answer.status == 409)
        #expect(answer.text.contains("is not in a party"))
        #expect(try await stage.store.activity(ActivityID("activity-2")) == nil)
        await stage.server.server.drain()
    }

    // MARK: Packs

    private static let pie = Pack.Reference(id: "stolen-pie", version: 2)

    /// The pie of the program, with another title.
    private static func corrected() throws -> PackRecord {
        let file = String(
            decoding: try #require(EmbeddedPacks.file(named: "stolen-pie")), as: UTF8.self)
        let document = try PackDocument(
            json: Array(file.replacing("The Stolen Pie", with: "Pie Day").utf8))
        return PackRecord(document, status: .published)
    }

    @Test("a pack that is retired while it is corrected keeps the new words")
    func retired() async throws {
        let stage = try await Stage.make()
        let (server, store) = (stage.server, stage.store.store)
        stage.store.hold()
        async let answer = server.admin(.delete, "/v1/admin/packs/stolen-pie/2")
        await stage.store.untilHolding()
        let corrected = try Self.corrected()
        let put = try await store.put(
            corrected, amongAtMost: .max, as: nil, epoch: server.server.game.epoch)
        #expect(put == .written)
        stage.store.release()
        #expect(await answer.status == 200)
        #expect(await answer.body["title"].string == "Pie Day")
        let record = try await store.pack(Self.pie)
        #expect(record?.status == .retired && record?.texts == corrected.texts)
        await server.server.drain()
    }

    @Test("of two reads of a pack the later one says what it is, whichever ends first")
    func packs() async throws {
        let stage = try await Stage.make()
        let (game, store) = (stage.server.server.game, stage.store.store)
        let corrected = try Self.corrected()
        stage.store.afterReading(.packs) {
            _ = try? await store.put(
                corrected, amongAtMost: .max, as: nil, epoch: game.epoch)
            try? await game.packs.reload(game.dependencies)
        }
        try await game.packs.reload(game.dependencies)
        #expect(game.packs.entry(Self.pie)?.document.textsBody == corrected.texts)
        await stage.server.server.drain()
    }

    // MARK: What is known in memory

    @Test("of two reads of a player's blocks the later one says what they are")
    func blocks() async throws {
        let stage = try await Stage.make()
        let (game, store) = (stage.server.server.game, stage.store.store)
        let names = game.names
        let (panda, foxy) = (
            PlayerID(stage.panda.id),
            PlayerID(try await TestPlayer.make("Foxy", at: stage.server).id)
        )
        let block = Block(player: panda, blocked: foxy, at: game.now)
        stage.store.afterReading(.blocks) {
            _ = try? await store.put(block, epoch: game.epoch)
            try? await names.reloadBlocks(of: panda, with: foxy, store)
        }
        try await names.reloadAll(stage.store)
        #expect(!names.view(of: panda).isEverybodys)
        stage.store.afterReading(.blocks) {
            try? await store.removeBlock(of: foxy, by: panda, epoch: game.epoch)
            try? await names.reloadAll(store)
        }
        try await names.reloadBlocks(of: panda, with: foxy, stage.store)
        #expect(names.view(of: panda).isEverybodys)
        await stage.server.server.drain()
    }

    @Test("a session that ends while all are read stays over", arguments: [true, false])
    func session(isRevoked: Bool) async throws {
        let stage = try await Stage.make()
        let server = stage.server
        let made = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"lena","role":"observer"}"#)
        let browser = try await Browser(server).signedIn(
            with: try #require(made.body["key"].string))
        #expect(await browser.status() == 200)
        stage.store.afterReading(.sessions) {
            if isRevoked {
                _ = await server.admin(.delete, "/v1/admin/keys/lena")
            } else {
                _ = await browser.send(.delete, "/v1/admin/session")
            }
        }
        try await server.server.game.sessions.reload()
        #expect(await browser.status() == 401)
        await server.server.drain()
    }

    @Test(
        "a session that another server has ended does not come back with a read that began before")
    func readTwice() async throws {
        let stage = try await Stage.make()
        let (server, store) = (stage.server, stage.store.store)
        let game = server.server.game
        let browser = try await Browser(server).signedIn()
        let open = try await store.sessions()
        stage.store.afterReading(.sessions) {
            try? await store.update(
                [], removing: open.map(\.id), as: nil, epoch: game.epoch)
            try? await game.sessions.reload()
        }
        try await game.sessions.reload()
        #expect(await browser.status() == 401)
        await server.server.drain()
    }

    @Test("an order about pushes that is read late does not undo a newer one")
    func pause() async throws {
        let stage = try await Stage.make()
        let game = stage.server.server.game
        let newest = try await stage.store.newestPushPause().order
        await game.shards.set(.paused, order: newest + 1)
        #expect(await game.follow(.pause))
        #expect(stage.server.metrics.value(.pushesPaused) == 1)
        _ = try await stage.store.store.set(nil, as: Self.call, epoch: game.epoch)
        _ = try await stage.store.store.set(nil, as: Self.call, epoch: game.epoch)
        #expect(await game.follow(.pause))
        #expect(stage.server.metrics.value(.pushesPaused) == 0)
        await stage.server.server.drain()
    }
}
