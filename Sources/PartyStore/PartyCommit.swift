package import GameLogic
package import PushPolicy

/// One change of one party: all of it is written, or nothing.
package struct PartyCommit: Sendable {
    /// With the new version: the stored one must be exactly one lower (0: must not exist).
    package let stored: StoredParty
    /// Something is ahead of the party: a start of the server must look at it.
    package let isAwake: Bool
    package var events: [PartyEvent] = []
    package var command: LoggedCommand?
    package var decisions: [Decision] = []
    /// Heroes who joined: refused with `.heroIsTaken` when one is in a party already.
    package var joined: [Hero] = []
    package var left: [HeroID] = []
    /// Heroes who come home changed (exp).
    package var changedHeroes: [Hero] = []
    /// Written or overwritten.
    package var activities: [ActivityRegistration] = []
    package var removedActivities: [ActivityID] = []
    /// What was started on these devices. Written only if the stored version is theirs: else the
    /// whole change is refused with `.staleDevice`.
    package var startDevices: [StartDevice] = []
    /// Channels that were opened, or are over: written or overwritten.
    package var channels: [ChannelRecord] = []
    package let at: WallTime

    package init(stored: StoredParty, isAwake: Bool, at: WallTime) {
        self.stored = stored
        self.isAwake = isAwake
        self.at = at
    }
}
