internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore

/// Lets requests of one player with the same key go one after the other: while one is being carried
/// out, the same request again waits for its result.
///
/// It saves work, and gives requests that arrive together the same response. That a change is made
/// once is the store's rule: the key's row is written with the change, and a second row is refused.
final class RequestTurns: Sendable {
    /// The most requests that wait for one key; more receive a 503.
    static let waitingMax = 512

    private struct Turn: Hashable {
        let player: String
        let key: String

        init(_ key: RequestKey) {
            player = key.player.rawValue
            self.key = key.key
        }
    }

    private enum Place {
        case first, waiting, refused
    }

    /// Those who wait, by the key of a request that is being carried out.
    private let waiting = Locked<[Turn: [CheckedContinuation<Bool, Never>]]>([:])

    /// Runs `body` when no other request with this key runs. It waits as long as their handlers do.
    func run(
        _ key: RequestKey, _ body: () async throws -> Response
    ) async throws -> Response {
        let turn = Turn(key)
        guard await enter(turn) else {
            throw Problem.unavailable(
                "Too many requests with this \(IdempotencyKey.header) are waiting: try again soon.")
        }
        defer { leave(turn) }
        return try await body()
    }

    /// Returns whether it is this request's turn; not when too many wait.
    private func enter(_ turn: Turn) async -> Bool {
        await withCheckedContinuation { continuation in
            let place = waiting.withLock { waiting -> Place in
                guard let others = waiting[turn] else {
                    waiting[turn] = []
                    return .first
                }
                guard others.count < Self.waitingMax else { return .refused }
                waiting[turn, default: []].append(continuation)
                return .waiting
            }
            switch place {
            case .first: continuation.resume(returning: true)
            case .waiting: break
            case .refused: continuation.resume(returning: false)
            }
        }
    }

    private func leave(_ turn: Turn) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Bool, Never>? in
            guard let others = waiting[turn], !others.isEmpty else {
                waiting[turn] = nil
                return nil
            }
            return waiting[turn]?.removeFirst()
        }
        next?.resume(returning: true)
    }
}
