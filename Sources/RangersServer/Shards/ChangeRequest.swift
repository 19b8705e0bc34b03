internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// A requested change: what to do, and the caller that waits for its result.
struct ChangeRequest: Sendable {
    enum Target: Sendable {
        case existing
        /// A new party, in its state before its first change. Apart: every party in memory has room
        /// for a request, and almost none of them is for a new one.
        indirect case new(StoredParty)
    }

    enum Origin: Sendable {
        case caller
        /// The shard itself; no mailbox counts the request.
        case shard
    }

    let party: PartyID
    let target: Target
    let origin: Origin
    let body: @Sendable (inout PartyChange) throws -> Void
    /// Called once, when every effect is durable or nothing has changed.
    let completion: @Sendable (Result<Void, any Error>) -> Void
    /// How often the change was tried against devices that changed meanwhile.
    var attempts = 0

    /// A change requested by the server itself. Nobody waits for it, so those of callers come
    /// first; `failed` receives its errors.
    static func own(
        _ party: PartyID, failed: @escaping @Sendable (any Error) -> Void,
        _ body: @escaping @Sendable (inout PartyChange) throws -> Void
    ) -> ChangeRequest {
        ChangeRequest(party: party, target: .existing, origin: .shard, body: body) { result in
            if case .failure(let error) = result { failed(error) }
        }
    }

    /// Passes a change to `enqueue` and waits for its result.
    ///
    /// - Returns: What `body` returned, once all its effects are durable.
    static func run<Value: Sendable>(
        _ party: PartyID, _ target: Target, by enqueue: (ChangeRequest) -> Void,
        _ body: @escaping @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        let made = Locked<Value?>(nil)
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                ChangeRequest(party: party, target: target, origin: .caller) { change in
                    let value = try body(&change)
                    made.withLock { $0 = value }
                } completion: {
                    continuation.resume(with: $0)
                })
        }
        guard let value = made.withLock({ $0 }) else {
            preconditionFailure("a change of party \(party) succeeded without being made")
        }
        return value
    }
}
