internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `…/v1/players/me/blocks`: the players whom the caller does not want to meet. A blocked player
/// cannot join a party that the caller leads, and the caller sees their heroes without names.
enum BlockPlayer {
    static let schema = JSONSchema.fields(["player": .text, "blockedAt": .time])

    static let routes = [
        APIRoute(
            .get, "/v1/players/me/blocks", .player,
            Contract(
                "lists the players whom the player has blocked",
                returns: .json(.fields(["blocks": .list(schema)]))),
            handle: list),
        APIRoute(
            .put, "/v1/players/me/blocks/{player}", .player,
            Contract(
                "blocks a player", body: Body.Nothing.self, status: 204, returns: .nothing,
                problems: [409]),
            handle: block),
        APIRoute(
            .delete, "/v1/players/me/blocks/{player}", .player,
            Contract("removes the block", status: 204, returns: .nothing), handle: unblock),
    ]

    @Sendable private static func list(_ request: Request, _ call: Call) async throws -> Response {
        let blocks = try await call.game.store.blocks(of: call.player)
        var json = JSONWriter()
        json.beginObject()
        json.array("blocks", blocks) { write($1, call.game, to: &$0) }
        json.endObject()
        return .json(json.bytes)
    }

    static func write(_ block: Block, _ game: Game, to json: inout JSONWriter) {
        json.beginObject()
        json.field("player", block.blocked.rawValue)
        json.field("blockedAt", game.wall(at: block.at))
        json.endObject()
    }

    @Sendable private static func block(_ request: Request, _ call: Call) async throws -> Response {
        let blocked = PlayerID(try request.parameter("player"))
        let player = try call.player
        try Body.expectNothing(in: request)
        guard blocked != player else { throw Problem.conflict("You cannot block yourself.") }
        let block = Block(player: player, blocked: blocked, at: call.game.now)
        switch try await call.game.store.put(block, epoch: call.game.epoch) {
        case .written: break
        case .noRoom:
            throw Problem.conflict("A player can block at most \(Block.countMax) players.")
        case .unknownPlayer: throw Problem.notFound("There is no player \(blocked).")
        }
        try await call.game.reloadBlocks(of: player, with: blocked)
        return .noContent
    }

    @Sendable private static func unblock(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let blocked = PlayerID(try request.parameter("player"))
        let player = try call.player
        guard blocked.rawValue.unicodeScalars.count <= Contract.Parameter.idLengthMax else {
            throw Problem.notFound("No player has such a long id.")
        }
        try await call.game.store.removeBlock(of: blocked, by: player, epoch: call.game.epoch)
        try await call.game.reloadBlocks(of: player, with: blocked)
        return .noContent
    }
}

extension Game {
    /// Puts a player's changed blocks into force, also in the snapshots of their parties.
    fileprivate func reloadBlocks(of player: PlayerID, with blocked: PlayerID) async throws {
        try await names.reloadBlocks(of: player, with: blocked, store)
        for party in Set(try await store.memberships(of: player).values) {
            snapshots.forget(party)
        }
    }
}
