internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// Recovery codes: with one a player who has lost their phone continues on another.
enum Recovery {
    static let routes = [
        APIRoute(
            .post, "/v1/me/recovery-code", .player,
            Contract(
                "creates a recovery code in place of any other", body: Body.Nothing.self,
                status: 201, returns: .json(.fields(["recoveryCode": .text]))),
            handle: create),
        APIRoute(
            .post, "/v1/players/recover", .anyone,
            Contract(
                "moves a player to a new device, with the recovery code", body: Input.self,
                status: 201, returns: .json(BearerToken.schema.adding(["player": .text])),
                problems: [404, 429]),
            handle: recover),
    ]

    private struct Input: BodyFields {
        let recoveryCode: String
        let device: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case recoveryCode, device
        }

        static var narrower: [String: JSONSchema] { ["device": Text.identifierSchema] }
    }

    /// Creates the player's code, in place of any other. It is in this response only.
    @Sendable private static func create(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try Body.expectNothing(in: request)
        let code = RecoveryCode()
        try await call.game.players.change(
            .setRecoveryCode(code.hash, by: call.device), keeping: call.result(201, .secret))
        var json = JSONWriter()
        json.beginObject()
        json.field("recoveryCode", code.revealed)
        json.endObject()
        return .json(json.bytes, status: 201)
    }

    /// Moves the player to this device: all others lose their tokens, and the code is used up.
    @Sendable private static func recover(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let device = try input.device.map { text throws(Problem) in
            try DeviceID(checking: text)
        }
        let code = RecoveryCode(typed: input.recoveryCode)
        let address = request.clientAddress
        try call.game.spendRecovery(from: address)
        let token = BearerToken()
        do throws(StoreError) {
            let outcome = try await call.game.players.change(
                .recover(
                    code: code.hash, device ?? .unnamed, tokenHash: token.hash, at: call.game.now),
                keeping: nil)
            call.game.giveBackRecovery(to: address)
            return token.response(for: device ?? .unnamed, of: outcome.player)
        } catch {
            if error != .account(.wrongCode) { call.game.giveBackRecovery(to: address) }
            throw error
        }
    }
}

extension Game {
    /// Takes one try of this address before the code is looked up, so that guesses that arrive
    /// together count.
    fileprivate func spendRecovery(from address: String) throws(Problem) {
        let now = now
        let wait = recoveryGuesses.withLock { guesses -> Int? in
            if let seconds = guesses.wait(for: address, now: now) { return seconds }
            guesses.spend(address, now: now)
            return nil
        }
        guard let wait else { return }
        throw Problem.tooManyRequests(
            "Too many wrong recovery codes from your network: check the code, and try again later.",
            retryAfterSeconds: wait)
    }

    fileprivate func giveBackRecovery(to address: String) {
        recoveryGuesses.withLock { $0.giveBack(to: address) }
    }
}

extension Request {
    /// The client's address as the proxy has appended it to `X-Forwarded-For`; without a proxy all
    /// clients count as one.
    fileprivate var clientAddress: String {
        let addresses = headers["x-forwarded-for"]?.split(separator: ",") ?? []
        return addresses.last.map { $0.filter { $0 != " " } } ?? ""
    }
}
