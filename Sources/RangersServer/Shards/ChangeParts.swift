internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// What the commit of a party's change contains besides the party's row.
struct ChangeParts: Sendable {
    var events: [PartyEvent] = []
    var command: LoggedCommand?
    var joined: [Hero] = []
    var left: [HeroID] = []
    var changedHeroes: [Hero] = []
    var activities: [ActivityRegistration] = []
    var removedActivities: [ActivityID] = []
    var channels: [ChannelRecord] = []
    var requests: [KeptRequest] = []
    var calls: [AuditRecord] = []
    var erased: [HeroID] = []
    /// It comes with the event that ends the adventure.
    var result: AdventureResult?
    var letters: [PartyLetter] = []
    var takenLetters: [PartyLetter] = []
    /// What new activities take of their phones' budgets, and what those that have ended leave.
    var phones: [PhoneChange] = []
    /// They ride along: they alone need no commit.
    var responses: [JournalResponse] = []

    /// Whether none of it must be written. The other parts never come without one of these.
    var isEmpty: Bool {
        events.isEmpty && command == nil && activities.isEmpty && removedActivities.isEmpty
            && channels.isEmpty && requests.isEmpty && calls.isEmpty && erased.isEmpty
            && takenLetters.isEmpty && phones.isEmpty
    }

    func write(to commit: inout PartyCommit) {
        commit.events = events
        commit.command = command
        commit.joined = joined
        commit.left = left
        commit.changedHeroes = changedHeroes
        commit.activities = activities
        commit.removedActivities = removedActivities
        commit.channels = channels
        commit.requests = requests
        commit.calls = calls
        commit.erased = erased
        commit.letters = letters
        commit.takenLetters = takenLetters
        commit.phones = phones
        commit.result = result
        commit.responses = responses
    }

    /// Removes the outbox of an activity that has ended, and notes what it leaves to its phone.
    mutating func noteEnd(of activity: inout LiveActivity, at now: WallTime) {
        let registration = activity.registration
        if registration.recipient == .player,
            let left = activity.giveAllowance(keeping: 0, at: now)
        {
            phones.append(.leaves(PhoneKey(of: registration), of: registration.id, left))
        }
        activity.outbox = nil
    }
}
