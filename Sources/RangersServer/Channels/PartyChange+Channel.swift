internal import GameLogic
internal import PartyStore
internal import PushPolicy

extension PartyChange {
    /// Opens a channel that Apple has just created for a member, unless the party has one already or
    /// is on no adventure now. Once committed, it is tracked until it is deleted at Apple some time
    /// after its end. One that is not needed is recorded as over, for the sweeper.
    ///
    /// Apple takes its time to create a channel, so only this decides, whatever was true before.
    ///
    /// - Returns: The party's open channel; `nil` if it is on no adventure, or the opener has left.
    mutating func open(
        _ channel: ChannelName, in environment: PushEnvironment, by opener: PlayerID,
        language: Language
    ) -> ActivityRegistration? {
        let isMember = party.members.contains { $0.hero.owner == opener }
        guard spectators == nil, party.isOnAdventure, isMember,
            let leader = party.members.first?.hero.id
        else {
            note(
                ChannelRecord(
                    id: channel, environment: environment, party: party.id, createdAt: now,
                    overSince: now))
            return isMember ? spectators : nil
        }
        let opened = ActivityRegistration.spectators(
            on: channel, in: environment, openedBy: opener, through: leader, of: party.id,
            language: language, at: now)
        if let record = ChannelRecord(of: opened, overSince: nil) { note(record) }
        register(opened)
        return opened
    }
}
