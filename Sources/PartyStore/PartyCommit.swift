package import GameLogic
package import PushPolicy

/// One change of one party, written as a whole or not at all.
package struct PartyCommit: Sendable {
    /// With the new version: the stored one must be exactly one lower (0: must not exist).
    package let stored: StoredParty
    /// Whether the party has scheduled work, so that a start of the server must load it.
    package let isAwake: Bool
    package var events: [PartyEvent] = []
    package var command: LoggedCommand?
    package var decisions: [Decision] = []
    /// The pushes that are sent once the change is written, and the responses to earlier ones.
    package var pushes: [JournalPush] = []
    package var responses: [JournalResponse] = []
    /// Heroes who joined, as they were at home; refused with `.heroIsTaken` when one is already in a
    /// party, with `.staleHero` when it has changed, and with `.tooManyParties` when its player is
    /// in too many others.
    package var joined: [Hero] = []
    /// Whether they may meet players whom they have blocked.
    package var meeting = Meeting.refused
    package var left: [HeroID] = []
    /// Heroes who return changed (exp).
    package var changedHeroes: [Hero] = []
    /// Whether the party has another invite code than before; refused with `.exists` when another
    /// party has it.
    package var hasNewCode = false
    /// Activities to write or overwrite.
    package var activities: [ActivityRegistration] = []
    package var removedActivities: [ActivityID] = []
    /// The step of a job that the change is. Refused with `.exists` when it is done already, or
    /// the job has been stopped.
    package var jobStep: JobStep?
    /// Devices with their starts. They are written only if the stored version is theirs; otherwise
    /// the whole change is refused with `.staleDevice`.
    package var startDevices: [StartDevice] = []
    /// Channels that were opened or have ended, to write or overwrite.
    package var channels: [ChannelRecord] = []
    /// The request behind the change, if its player may repeat it; refused with `.requestIsKept`
    /// when the player has used its key before.
    package var requests: [KeptRequest] = []
    /// The calls of game masters that made the change.
    package var calls: [AuditRecord] = []
    /// Heroes whose names are erased in the party's journal too.
    package var erased: [HeroID] = []
    /// What other parties are to change with their next writes. A push token that one of them says
    /// its activity loses may be given to another of the same player.
    package var letters: [PartyLetter] = []
    /// Letters to this party that the change carries out. Refused with `.staleLetters` when one of
    /// them is in the inbox no more.
    package var takenLetters: [PartyLetter] = []
    /// What becomes of the budgets of phones.
    package var phones: [PhoneChange] = []
    /// The result of the adventure that ends with the change.
    package var result: AdventureResult?
    package let at: WallTime

    package init(stored: StoredParty, isAwake: Bool, at: WallTime) {
        self.stored = stored
        self.isAwake = isAwake
        self.at = at
    }
}

/// What a player decides on joining a party with a player whom they have blocked.
package enum Meeting: Hashable, Sendable {
    /// The change is refused with `.meetsBlockedPlayer`.
    case refused
    case accepted
}

extension PartyCommit {
    /// The players whom each joining player meets.
    var welcomes: [Welcome] {
        joined.map { hero in
            Welcome(
                player: hero.owner, leader: stored.party.leader,
                others: meeting == .accepted ? [] : stored.party.heroes.map(\.owner))
        }
    }
}
