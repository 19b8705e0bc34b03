internal import GameLogic
internal import Isolation
internal import PartyStore

/// A party as it is stored: where it stands, what was asked of it, what has happened.
struct StoredStory: Sendable {
    let party: Party
    let commands: [LoggedCommand]
    let events: [PartyEvent]

    /// How the story differs from the same commands played again, in words.
    var differences: [String] {
        do throws(RuleError) {
            let (replayed, events) = try Party.replay(
                id: party.id, commands: commands.map { ($0.command, $0.time) },
                through: party.adventure?.advancedTo)
            return stateDifferences(replayed) + eventDifferences(events)
        } catch {
            return ["a logged command is refused when it is played again: \(error)"]
        }
    }

    private func stateDifferences(_ replayed: Party) -> [String] {
        var parts: [String] = []
        if replayed.members != party.members { parts.append("members") }
        if replayed.adventure != party.adventure { parts.append("adventure") }
        if replayed.lastEvent != party.lastEvent { parts.append("newest event") }
        if replayed.nextSequence != party.nextSequence { parts.append("count of events") }
        guard !parts.isEmpty || replayed != party else { return [] }
        return ["the stored state is not the replayed one: \(parts.joined(separator: ", "))"]
    }

    private func eventDifferences(_ replayed: [PartyEvent]) -> [String] {
        let first = zip(events, replayed).first { $0 != $1 }
        if let (stored, played) = first {
            return [
                """
                event \(stored.sequence) is stored as \(stored.kind), but event \
                \(played.sequence) is \(played.kind)
                """
            ]
        }
        guard events.count != replayed.count else { return [] }
        return ["\(events.count) events are stored, but \(replayed.count) happen"]
    }
}

/// The parties that a store's lists left out, because their rows are corrupt.
final class CorruptRows: Sendable {
    private let found = Locked<[String]>([])

    var descriptions: [String] { found.withLock { $0 } }

    func note(_ event: StoreEvent) {
        switch event {
        case .partyIsCorrupt(let party, let detail):
            found.withLock { $0.append("party \(party) is corrupt: \(detail)") }
        case .rowIsCorrupt, .writingStopped, .writingResumed, .checkpointFailed:
            break
        }
    }
}
