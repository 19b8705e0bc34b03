/// Advances a running adventure: holds the party while it changes, and the events so far.
///
/// The party creates an engine from itself and takes `finishedParty` back, or discards the engine
/// when a command is refused.
struct AdventureEngine {
    var party: Party
    var adventure: Adventure
    private(set) var events: [PartyEvent] = []

    /// `nil` when the party is on no adventure.
    init?(of party: Party) {
        guard let adventure = party.adventure, !adventure.isOver else { return nil }
        self.party = party
        self.adventure = adventure
    }

    /// The party after all events.
    var finishedParty: Party {
        var finished = party
        finished.adventure = adventure
        return finished
    }

    mutating func tell(_ kind: PartyEvent.Kind) {
        events.append(party.note(kind, at: adventure.advancedTo))
    }

    mutating func end(_ outcome: Outcome) {
        adventure.phase = .over(outcome)
        adventure.fight = nil
        tell(.adventureOver(outcome))
    }
}

// MARK: Draws

extension AdventureEngine {
    /// The indices of the members who can act and be hit, in the party's order.
    var standing: [Int] { party.members.indices.filter { party.members[$0].isStanding } }

    mutating func draw(_ range: ClosedRange<Int>) -> Int { adventure.random.draw(in: range) }

    /// Returns one of the choices, each with the same probability; `nil` when there is none.
    mutating func pick<Choice>(from choices: [Choice]) -> Choice? {
        guard !choices.isEmpty else { return nil }
        return choices[draw(0...choices.count - 1)]
    }

    /// Schedules the next step after a random pause of `pace` seconds.
    mutating func pause(_ pace: ClosedRange<Int>) {
        adventure.nextBeatAt = adventure.advancedTo + .seconds(Int64(draw(pace)))
    }
}
