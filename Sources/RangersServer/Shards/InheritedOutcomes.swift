internal import Isolation
internal import PartyStore

/// An outcome that another server has written.
struct InheritedOutcome: Sendable {
    /// The row that contains it, if this server deletes the row; `nil`: another node's.
    let row: Int64?
    let stored: StoredOutcome
}

/// Outcomes that the last server wrote and that no party's row contains yet. Each shard takes those
/// of its parties. All shards share this object, because a row has outcomes of many parties.
final class InheritedOutcomes: Sendable {
    private struct State {
        var outcomes: [PartyKey: [InheritedOutcome]] = [:]
        /// Loops that have not found all of their parties yet.
        var loopsLeft: Int
        /// Rows of other nodes that were added already.
        var rows: Set<Int64> = []
        /// How many takes of shards need what is here.
        var takes = 0
    }

    private let state: Locked<State>

    init(loops: Int) { state = Locked(State(loopsLeft: loops)) }

    /// Adds a row. Returns how many parties it has outcomes of.
    func add(_ row: StoredOutcomes) -> Int {
        add(row.outcomes, row: row.row)
        return Set(row.outcomes.map(\.party)).count
    }

    private func add(_ outcomes: [StoredOutcome], row: Int64?) {
        state.withLock { state in
            for outcome in outcomes {
                state.outcomes[outcome.party, default: []].append(
                    InheritedOutcome(row: row, stored: outcome))
            }
        }
    }

    /// Adds rows of other nodes, each once, for a take of shards that begins.
    func add(ofOthers rows: [StoredOutcomes]) {
        let new = state.withLock { state in
            state.takes += 1
            return rows.filter { state.rows.insert($0.row).inserted }
        }
        for row in new { add(row.outcomes, row: nil) }
    }

    /// Notes that a take of shards has ended. The last one leaves what no party has taken: other
    /// nodes' parties need it, or none.
    func endTake() {
        state.withLock { state in
            state.takes -= 1
            if state.takes == 0 { (state.outcomes, state.rows) = ([:], []) }
        }
    }

    /// Removes and returns the outcomes of one party.
    func take(_ party: PartyKey) -> [InheritedOutcome] {
        state.withLock { state in
            guard !state.outcomes.isEmpty else { return [] }
            return state.outcomes.removeValue(forKey: party) ?? []
        }
    }

    /// Notes that a loop has found all of its parties. Returns, for the last loop, the remaining
    /// outcomes by party: these parties have nothing scheduled, and their rows contain the
    /// outcomes.
    func loopFoundAll() -> [[InheritedOutcome]] {
        state.withLock { state in
            state.loopsLeft -= 1
            guard state.loopsLeft == 0 else { return [] }
            defer { state.outcomes = [:] }
            return Array(state.outcomes.values)
        }
    }
}
