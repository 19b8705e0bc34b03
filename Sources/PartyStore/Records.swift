package import GameLogic
package import PushPolicy

/// A number that grows with every start or takeover of a server.
package struct Epoch: Hashable, Comparable, Codable, Sendable {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    package static func < (left: Epoch, right: Epoch) -> Bool { left.number < right.number }
}

/// A registered player. The bearer token itself is never stored.
package struct PlayerRecord: Hashable, Sendable {
    package let id: PlayerID
    /// SHA-256 of the bearer token.
    package let tokenHash: [UInt8]
    package let createdAt: WallTime

    package init(id: PlayerID, tokenHash: [UInt8], createdAt: WallTime) {
        self.id = id
        self.tokenHash = tokenHash
        self.createdAt = createdAt
    }
}

/// A party's row: the party, its outboxes, its clock.
package struct PartyRecord: Hashable, Sendable {
    package let id: PartyID
    /// 1 for a new party, one more with each commit.
    package var version: Int64
    package var party: Party
    package var outbox: [ActivityOutbox]
    package var clock: PartyClock
    package let inviteCode: String
    package let createdAt: WallTime
    /// When the loop must look at the party next; `nil`: only when somebody asks.
    package var nextDueAt: WallTime?

    package init(
        id: PartyID, version: Int64, party: Party, outbox: [ActivityOutbox], clock: PartyClock,
        inviteCode: String, createdAt: WallTime, nextDueAt: WallTime?
    ) {
        self.id = id
        self.version = version
        self.party = party
        self.outbox = outbox
        self.clock = clock
        self.inviteCode = inviteCode
        self.createdAt = createdAt
        self.nextDueAt = nextDueAt
    }
}

/// How a party's game time follows the server's clock.
package struct PartyClock: Hashable, Codable, Sendable {
    /// When the adventure's game time was zero.
    package var beganAt: WallTime
    /// Game milliseconds a real second.
    package var millisecondsPerSecond: Int64

    package init(beganAt: WallTime, millisecondsPerSecond: Int64) {
        self.beganAt = beganAt
        self.millisecondsPerSecond = millisecondsPerSecond
    }

    package func gameTime(at time: WallTime) -> GameTime {
        let elapsed = max(0, time.milliseconds - beganAt.milliseconds)
        return GameTime(milliseconds: elapsed * millisecondsPerSecond / 1000)
    }

    /// The first moment at which `gameTime(at:)` has reached `time`.
    package func wallTime(of time: GameTime) -> WallTime {
        let scaled = time.milliseconds * 1000
        let elapsed = (scaled + millisecondsPerSecond - 1) / millisecondsPerSecond
        return beganAt.adding(milliseconds: elapsed)
    }
}

/// A party as it is read: with the activities that watch it.
package struct StoredParty: Hashable, Sendable {
    package let record: PartyRecord
    package let registrations: [ActivityRegistration]

    package init(record: PartyRecord, registrations: [ActivityRegistration]) {
        self.record = record
        self.registrations = registrations
    }
}

/// One change of one party: all of it is written, or nothing.
package struct PartyCommit: Sendable {
    /// With the new version: the stored one must be exactly one lower (0: must not exist).
    package let record: PartyRecord
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
    /// What was started on these devices is written; what their apps say of themselves is not.
    package var startDevices: [StartDevice] = []
    /// Channels that were opened, or are over: written or overwritten.
    package var channels: [ChannelRecord] = []
    package let at: WallTime

    package init(record: PartyRecord, at: WallTime) {
        self.record = record
        self.at = at
    }
}

/// An event, and when it was committed.
package struct LoggedEvent: Hashable, Sendable {
    package let event: PartyEvent
    package let at: WallTime

    package init(event: PartyEvent, at: WallTime) {
        self.event = event
        self.at = at
    }
}

/// A command that was accepted, and the game time at which it was applied.
package struct LoggedCommand: Hashable, Codable, Sendable {
    package let command: Command
    package let time: GameTime

    package init(command: Command, time: GameTime) {
        self.command = command
        self.time = time
    }
}

/// A row of the ledger: a decision, and when it was committed.
package struct LoggedDecision: Hashable, Sendable {
    package let decision: Decision
    package let at: WallTime

    package init(decision: Decision, at: WallTime) {
        self.decision = decision
        self.at = at
    }
}

/// Whether a device was taken in.
package enum StartDevicePut: Hashable, Sendable {
    case written
    /// The player has too many already.
    case noRoom
}

/// A party's outboxes as acknowledgements left them.
package struct OutboxRecord: Hashable, Sendable {
    package let party: PartyID
    package let version: Int64
    package let outbox: [ActivityOutbox]

    package init(party: PartyID, version: Int64, outbox: [ActivityOutbox]) {
        self.party = party
        self.version = version
        self.outbox = outbox
    }
}
