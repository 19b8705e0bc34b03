internal import GameLogic
internal import Isolation
internal import PartyStore

/// Replay of the past that a store keeps of a party.
extension PartyHistory {
    /// The differences between the stored party and its replayed commands, in words.
    var differences: [String] {
        do throws(RuleError) {
            let (replayed, events) = try Party.replay(
                from: start ?? Party(id: stored.id),
                commands: commands.map { ($0.command, $0.time) },
                through: stored.party.adventure?.advancedTo)
            return stateDifferences(replayed) + eventDifferences(events)
        } catch {
            return ["replay refuses a logged command: \(error)"]
        }
    }

    private func stateDifferences(_ replayed: Party) -> [String] {
        let party = stored.party
        var parts: [String] = []
        if replayed.members != party.members { parts.append("members") }
        if replayed.adventure != party.adventure { parts.append("adventure") }
        if replayed.lastEvent != party.lastEvent { parts.append("newest event") }
        if replayed.nextSequence != party.nextSequence { parts.append("count of events") }
        guard !parts.isEmpty || replayed != party else { return [] }
        return ["the stored state is not the replayed one: \(parts.joined(separator: ", "))"]
    }

    private func eventDifferences(_ replayed: [PartyEvent]) -> [String] {
        let stored = events.map(\.event)
        if let (kept, played) = zip(stored, replayed).first(where: { $0 != $1 }) {
            return [
                """
                event \(kept.sequence) is stored as \(kept.kind), but event \(played.sequence) \
                is \(played.kind)
                """
            ]
        }
        guard stored.count != replayed.count else { return [] }
        return ["\(stored.count) events are stored, but \(replayed.count) happen"]
    }
}
