extension Party {
    /// Plays a party's commands again, from its first day or from where its journal was folded:
    /// gives the party and the events since.
    ///
    /// Each command carries the time at which it was applied, on the clock of the adventure that
    /// ran then. `start` sets that clock to zero; before the first adventure and after each, time
    /// means nothing. After the last command the story is told up to `time`, when one is given.
    /// Throws when a command is refused: only commands that were accepted once belong here.
    package static func replay(
        from start: Party, commands: [(Command, GameTime)], through time: GameTime?
    ) throws(RuleError) -> (Party, [PartyEvent]) {
        var party = start
        var events: [PartyEvent] = []
        for (command, commandTime) in commands {
            events += try party.apply(command, at: commandTime)
        }
        if let time { events += party.advance(to: time) }
        return (party, events)
    }
}
