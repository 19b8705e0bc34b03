internal import Isolation
internal import PartyStore

/// The rows of outcomes in the store, with the number of parties that still need each. A row is
/// deleted when every party in it has written its own row. Shared by all shards.
final class OutcomeRows: Sendable {
    private struct State {
        var last: Int64
        var parties: [Int64: Int] = [:]
    }

    private let state: Locked<State>

    /// Gives each epoch a range of row ids of its own.
    init(epoch: Epoch) { state = Locked(State(last: epoch.number << 32)) }

    /// Returns the epoch of the server that has written a row.
    static func epoch(ofRow row: Int64) -> Int64 { row >> 32 }

    /// Returns the id of a row to be written.
    func newRow() -> Int64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Notes how many parties need the row. Returns whether none does.
    func note(_ row: Int64, of parties: Int) -> Bool {
        state.withLock { state in
            guard parties > 0 else { return true }
            state.parties[row, default: 0] += parties
            return false
        }
    }

    /// Notes that a party no longer needs the row. Returns whether it was the last one.
    func cover(_ row: Int64) -> Bool {
        state.withLock { state in
            guard let left = state.parties[row] else { return false }
            state.parties[row] = left > 1 ? left - 1 : nil
            return left == 1
        }
    }
}
