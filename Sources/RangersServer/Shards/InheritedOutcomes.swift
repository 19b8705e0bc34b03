internal import Isolation
internal import PartyStore

/// An outcome that a server before this one wrote, and the row that it stands in.
struct InheritedOutcome: Sendable {
    let row: Int64
    let stored: StoredOutcome
}

/// What the last server wrote of outcomes and no party's row holds yet. Each party's shard takes
/// its own; shared by all shards, because a row has outcomes of many parties.
final class InheritedOutcomes: Sendable {
    private struct State {
        var outcomes: [PartyKey: [InheritedOutcome]] = [:]
        /// Loops that have not found all of their parties yet.
        var loopsLeft: Int
    }

    private let state: Locked<State>

    init(loops: Int) { state = Locked(State(loopsLeft: loops)) }

    /// Takes over a row; returns how many parties it has outcomes of.
    func add(_ row: StoredOutcomes) -> Int {
        state.withLock { state in
            for outcome in row.outcomes {
                state.outcomes[outcome.party, default: []].append(
                    InheritedOutcome(row: row.row, stored: outcome))
            }
        }
        return Set(row.outcomes.map(\.party)).count
    }

    /// Those of one party, once.
    func take(_ party: PartyKey) -> [InheritedOutcome] {
        state.withLock { state in
            guard !state.outcomes.isEmpty else { return [] }
            return state.outcomes.removeValue(forKey: party) ?? []
        }
    }

    /// A loop has found all of its parties. The last one gets what is left, by party: their rows
    /// hold it, for nothing is ahead of them.
    func loopFoundAll() -> [[InheritedOutcome]] {
        state.withLock { state in
            state.loopsLeft -= 1
            guard state.loopsLeft == 0 else { return [] }
            defer { state.outcomes = [:] }
            return Array(state.outcomes.values)
        }
    }
}
