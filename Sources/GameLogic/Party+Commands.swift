extension Party {
    /// Tells the story up to `time`, then does what is asked; returns the events of both.
    ///
    /// A refused command changes nothing, not even the time.
    package mutating func apply(_ command: Command, at time: GameTime) throws(RuleError)
        -> [PartyEvent]
    {
        []
    }

    /// Tells the story up to `time` (never backwards).
    package mutating func advance(to time: GameTime) -> [PartyEvent] { [] }

    /// When something visible happens next, if nobody interferes; `nil` when nothing will.
    package var nextChangeAt: GameTime? { nil }

    package var leader: PlayerID? { members.first?.hero.owner }

    package var isOnAdventure: Bool { false }
}
