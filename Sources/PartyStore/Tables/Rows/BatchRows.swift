internal import GameLogic
internal import PushPolicy

/// A party's change as the writer binds it: numbers, and ranges of the batch's arena.
struct ChangeRow: Sendable {
    let key: Int64
    let version: Int64
    /// 1: the party has scheduled work.
    let awake: Int64
    let id: Range<Int>
    let inviteCode: Range<Int>
    let state: Range<Int>
    let checksum: Int64
    /// `nil` without events, command and decisions.
    let journal: Journal?
    /// Rows of other tables; most changes have none.
    let further: FurtherRows?

    struct Journal: Sendable {
        let at: Int64
        let data: Range<Int>
        let checksum: Int64
    }
}

/// What a party's change writes besides its own row and its journal. Other nodes may write the same
/// rows, so it may have to wait for them.
package final class FurtherRows: Sendable {
    /// Refused with `.heroIsTaken` when one is already in a party, with `.staleHero` when it has
    /// changed at home, and with `.tooManyParties` when its player is in too many others.
    let joined: [Hero]
    /// Of `joined`; refused with `.isBlocked` and `.meetsBlockedPlayer`.
    let welcomes: [Welcome]
    let left: [HeroID]
    /// Refused with `.exists` when another party has it.
    let newCode: String?
    let heroes: [DataRow]
    let activities: [DataRow]
    /// Of `activities`; refused with `.tokenIsTaken` when a further activity has one of the tokens.
    let tokens: [ActivityTokenClaim]
    let removedActivities: [String]
    let letters: [PartyLetter]
    /// Refused with `.staleLetters` when one of them is there no more.
    let takenLetters: [PartyLetter]
    /// Refused with `.staleDevice` when a row has another version than the change has read.
    let phones: [PhoneChange]
    let startDevices: [StartDeviceRow]
    /// Refused with `.exists` when it is done already.
    let jobStep: JobStep?
    let channels: [DataRow]
    /// Refused with `.requestIsKept` when the player has used the key before.
    let requests: [DataRow]
    /// The audit log's.
    let calls: [DataRow]
    /// Whose activities are written; refused with `.account` when their account was deleted.
    let registrants: Set<PlayerID>
    /// Erased in the party's journal.
    let erased: Set<HeroID>
    /// Refused with `.rule` and `.exists`.
    let world: WorldRows?
    /// Of an adventure that ends with the change.
    let result: AdventureResult?
    /// The party, and its version.
    let party: PartyID
    let version: Int64

    /// `nil` when the change has none of it.
    package init?(_ commit: PartyCommit) {
        joined = commit.joined
        welcomes = commit.welcomes
        left = commit.left
        newCode = commit.hasNewCode ? commit.stored.inviteCode : nil
        heroes = commit.changedHeroes.map(DataRow.init(hero:))
        let party = commit.stored.key.number
        activities = commit.activities.map { DataRow(activity: $0, party: party) }
        tokens = commit.activities.map(ActivityTokenClaim.init)
        removedActivities = commit.removedActivities.map(\.rawValue)
        letters = commit.letters
        takenLetters = commit.takenLetters
        phones = commit.phones
        jobStep = commit.jobStep
        startDevices = commit.startDevices.map(StartDeviceRow.init)
        channels = commit.channels.map { DataRow(channel: $0, party: party) }
        requests = commit.requests.map(DataRow.init(request:))
        calls = commit.calls.map(DataRow.init(audit:))
        registrants = Set(
            commit.activities.filter { $0.recipient == .player && $0.state.isLiving }.map(\.player))
        erased = Set(commit.erased)
        world = WorldRows(commit)
        result = commit.result.flatMap { $0.isEmpty ? nil : $0 }
        self.party = commit.stored.id
        version = commit.stored.version
        let isEmpty =
            !mayBeRefused && erased.isEmpty && left.isEmpty && heroes.isEmpty
            && removedActivities.isEmpty && letters.isEmpty && phones.isEmpty && calls.isEmpty
            && world == nil && result == nil
        if isEmpty { return nil }
    }

    /// Whether it writes what is no player's, so that it waits until no other node does.
    package var takesTurn: Bool {
        jobStep != nil || !channels.isEmpty || !calls.isEmpty || !erased.isEmpty || world != nil
            || result != nil
    }

    /// Whether one of the statements may be refused after others of the change were written.
    var mayBeRefused: Bool {
        !joined.isEmpty || newCode != nil || !activities.isEmpty || !startDevices.isEmpty
            || !takenLetters.isEmpty || !channels.isEmpty || !requests.isEmpty || jobStep != nil
            || world?.mayBeRefused ?? false
    }
}
