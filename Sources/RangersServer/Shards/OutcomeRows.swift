internal import Isolation
internal import PartyStore

/// The rows of outcomes that are in the store, with how many parties still need each: a row goes
/// when every party in it has written its own. Shared by all shards.
final class OutcomeRows: Sendable {
    private struct State {
        var last: Int64
        var parties: [Int64: Int] = [:]
    }

    private let state: Locked<State>

    /// Rows of this epoch have ids of their own.
    init(epoch: Epoch) { state = Locked(State(last: epoch.number << 32)) }

    /// The id of a row to be written.
    func newRow() -> Int64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Notes how many parties need the row; returns whether none does.
    func note(_ row: Int64, of parties: Int) -> Bool {
        state.withLock { state in
            guard parties > 0 else { return true }
            state.parties[row, default: 0] += parties
            return false
        }
    }

    /// A party does not need the row any more; returns whether it was the last one.
    func cover(_ row: Int64) -> Bool {
        state.withLock { state in
            guard let left = state.parties[row] else { return false }
            state.parties[row] = left > 1 ? left - 1 : nil
            return left == 1
        }
    }
}
