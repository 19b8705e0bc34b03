internal import GameLogic

/// Replays a journal, row by row.
struct JournalReplay {
    private(set) var party: Party

    init(from party: Party) { self.party = party }

    /// Applies the row and compares: the events must be the row's.
    mutating func play(_ entry: JournalEntry) throws {
        var events: [PartyEvent] = []
        if let command = entry.command {
            do throws(RuleError) {
                events = try party.apply(command.command, at: command.time)
            } catch {
                throw ReplayDifference(
                    detail: "replay refuses a logged command: \(error)")
            }
        }
        events += party.advance(to: entry.through)
        guard events != entry.events else { return }
        let first = zip(events, entry.events).first { $0 != $1 }?.1.sequence
        throw ReplayDifference(
            detail: "replay does not reproduce event \(first ?? party.nextSequence) of the journal")
    }
}

/// The difference between a replay and what is stored, in words.
struct ReplayDifference: Error, Hashable {
    let detail: String
}
