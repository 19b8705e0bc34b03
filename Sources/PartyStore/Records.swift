package import GameLogic
package import PushPolicy

/// A number that grows with every start or takeover of a server.
package struct Epoch: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    package static func < (left: Epoch, right: Epoch) -> Bool { left.number < right.number }
}

/// An event and the time of its commit.
package struct LoggedEvent: Hashable, Sendable {
    package let event: PartyEvent
    package let at: WallTime

    package init(event: PartyEvent, at: WallTime) {
        self.event = event
        self.at = at
    }
}

/// An accepted command and the game time at which it was applied.
package struct LoggedCommand: Hashable, Sendable {
    package let command: Command
    package let time: GameTime

    package init(command: Command, time: GameTime) {
        self.command = command
        self.time = time
    }
}

/// A row of the ledger: a decision in words, and the time of its commit.
package struct LoggedDecision: Hashable, Sendable {
    /// The most pushes shown for one event.
    package static let pushesMax = 8

    package let sequence: Int
    package let activity: ActivityID
    package let disposition: Decision.Disposition
    package let priority: PushPriority
    package let carriesAlert: Bool
    /// The number of the event that the card tells after the event's step; `nil`: a state that lasts,
    /// or the event is not the card's.
    package let tells: Int?
    /// The rules behind the decision, as a sentence.
    package let rule: String
    package let at: WallTime
    /// The event's kind, if the event is of the decision's change.
    package let kind: PartyEvent.Kind?
    /// The pushes that carried the event, until one was accepted: the first ones, and the last.
    package internal(set) var pushes: [LoggedPush] = []

    /// Creates the row of a decision on an event of this kind.
    package init(_ decision: Decision, on kind: PartyEvent.Kind?, at time: WallTime) {
        self.init(
            sequence: decision.sequence, activity: decision.activity,
            disposition: decision.disposition, priority: decision.priority,
            carriesAlert: decision.carriesAlert,
            tells: decision.tells.flatMap { $0.sequence > 0 ? $0.sequence : nil },
            rule: decision.rule(for: kind), at: time, kind: kind)
    }

    package init(
        sequence: Int, activity: ActivityID, disposition: Decision.Disposition,
        priority: PushPriority, carriesAlert: Bool, tells: Int? = nil, rule: String,
        at: WallTime, kind: PartyEvent.Kind? = nil
    ) {
        self.sequence = sequence
        self.activity = activity
        self.disposition = disposition
        self.priority = priority
        self.carriesAlert = carriesAlert
        self.tells = tells
        self.rule = rule
        self.at = at
        self.kind = kind
    }
}

/// A page of parties with scheduled work.
package struct AwakePage: Hashable, Sendable {
    package let parties: [StoredParty]
    /// Parties whose row is damaged.
    package let damaged: [PartyID]
    /// The beginning of the next page; `nil`: this is the last one.
    package let next: PartyKey?

    /// A page without parties, the last one.
    package static let empty = AwakePage(parties: [], damaged: [], next: nil)
}

/// A row of outcomes that no party's row contains yet.
package struct StoredOutcomes: Hashable, Sendable {
    package let row: Int64
    package let outcomes: [StoredOutcome]
}

/// A party and its proof: the replayed commands give the events and the party.
package struct PartyHistory: Hashable, Sendable {
    /// The party where its journal was folded; `nil`: never, and the commands are complete.
    package let start: Party?
    package let commands: [LoggedCommand]
    package let events: [LoggedEvent]
    package let stored: StoredParty
}

/// The result of writing a device.
package enum StartDevicePut: Hashable, Sendable {
    case written
    /// The player has too many devices.
    case noRoom
}
