package import GameLogic
package import PartyStore
package import PushPolicy

/// One change to one party, from the state that was read to the commit that writes it: pure.
///
/// Every change, by a player, a game master or the timer, uses this type, so storage, pushes and
/// replay are written once.
package struct PartyChange: Sendable {
    /// The longest absence of the server, in milliseconds, that an adventure catches up with. The
    /// adventure pauses for the rest, so that it does not pass in one second.
    package static let catchUpMax: Int64 = 60_000
    /// The most moments that one change advances. The rest is due again at once, so that one
    /// party's long change delays no other.
    package static let momentsMax = 16
    /// The most Live Activities of one party at a time: two devices per hero.
    package static let activitiesMax = 2 * Party.sizeMax
    /// The most ended activities that a party keeps in an adventure; the oldest goes first.
    package static let endedActivitiesMax = 4 * Party.sizeMax

    package internal(set) var stored: StoredParty
    package let now: WallTime
    let before: StoredParty
    /// The player and the device that request the change, if the app named them.
    var asker: (player: PlayerID, device: DeviceID)?
    /// Whether the row is written even without changes, because it supersedes rows of outcomes.
    var writesAnyway = false
    var parts = Parts()

    /// What the commit contains besides the party's row, and why.
    struct Parts: Sendable {
        var events: [PartyEvent] = []
        var command: LoggedCommand?
        var joined: [Hero] = []
        var left: [HeroID] = []
        var changedHeroes: [Hero] = []
        var activities: [ActivityRegistration] = []
        var removedActivities: [ActivityID] = []
        /// Activities that were not known before.
        var reported: [ActivityRegistration] = []
        /// Activities that have reached the age at which another should follow.
        var rolledOver: [ActivityRegistration] = []
        var starts = StartPlanner.Plan()
        var startsReported = 0
        var startDevices: [StartDevice] = []
        var channels: [ChannelRecord] = []
    }

    package init(_ stored: StoredParty, now: WallTime) {
        self.stored = stored
        before = stored
        self.now = now
        followClock()
    }

    package var party: Party { stored.party }

    // MARK: The game

    /// Advances the adventure to now, or by its next `momentsMax` moments.
    package mutating func advance() {
        guard stored.party.isOnAdventure else { return }
        note(
            stored.party.advance(
                to: stored.clock.gameTime(at: now), momentsMax: Self.momentsMax))
    }

    /// Whether the adventure must advance further before the party can take a command.
    package var isBehind: Bool {
        guard let next = stored.party.nextChangeAt else { return false }
        return next <= stored.clock.gameTime(at: now)
    }

    /// Applies a command. Advance the adventure to now before you call it.
    package mutating func apply(_ command: Command) throws(RuleError) {
        precondition(parts.command == nil, "one command a change, so that its log is exact")
        let time = stored.clock.gameTime(at: now)
        let before = stored.party
        note(try stored.party.apply(command, at: time))
        parts.command = LoggedCommand(command: command, time: time)
        switch command {
        case .join(let hero): parts.joined.append(hero)
        case .leave(let hero):
            parts.left.append(hero)
            followLeader()
            // The hero keeps what it has learned.
            if let changed = before.hero(hero) { parts.changedHeroes.append(changed) }
        case .start, .usePotion, .summonBoss, .dropLoot, .raiseStorm, .end: break
        }
    }

    /// Starts an adventure whose clock runs at the given speed (game milliseconds per second). The
    /// command is logged with the time of the previous adventure.
    package mutating func start(seed: UInt64, millisecondsPerSecond: Int64) throws(RuleError) {
        try apply(.start(seed: seed))
        removeEndedActivities()
        stored.clock = PartyClock(beganAt: now, millisecondsPerSecond: millisecondsPerSecond)
    }

    private mutating func note(_ events: [PartyEvent]) {
        parts.events += events
        let over = events.contains { event in
            if case .adventureOver = event.kind { true } else { false }
        }
        if over { parts.changedHeroes += stored.party.members.map(\.hero) }
    }

    /// Shifts the adventure's clock where it stood still or was set back: the wall clock may have
    /// been stepped while the server was away (PR12), or the server was away too long to catch up.
    private mutating func followClock() {
        guard let adventure = stored.party.adventure, stored.party.isOnAdventure else { return }
        let due = stored.party.nextChangeAt ?? adventure.advancedTo
        let lateness = now.milliseconds - stored.clock.wallTime(of: due).milliseconds
        let ahead = stored.clock.wallTime(of: adventure.advancedTo).milliseconds - now.milliseconds
        if lateness > Self.catchUpMax {
            stored.clock.beganAt = stored.clock.beganAt.adding(milliseconds: lateness)
        } else if ahead > 0 {
            stored.clock.beganAt = stored.clock.beganAt.adding(milliseconds: -ahead)
        }
    }

    // MARK: The commit

    /// Whether pushes may be sent with this change.
    package enum Sending: Sendable {
        case allowed
        /// APNs takes nothing at the moment; due pushes stay due.
        case paused
    }

    /// Returns what to write, and what to send once it is written; `nil` when nothing has changed.
    package mutating func finish(sending: Sending = .allowed) -> Finished? {
        stored.version = before.version + 1
        let decisions = PushPlanner.plan(
            parts.events, party: stored.party, version: stored.version,
            activities: &stored.activities, now: now)
        let pushes: [PlannedPush] =
            switch sending {
            case .allowed:
                PushPlanner.release(
                    party: stored.party, activities: &stored.activities, now: now)
            case .paused: []
            }
        forgetEndedOutboxes()
        guard isChanged(pushes: pushes) else { return nil }
        return Finished(
            commit: partyCommit(decisions + parts.starts.decisions),
            pushes: pushes + parts.starts.pushes, starts: parts.starts,
            startsReported: parts.startsReported)
    }

    /// Time alone changes nothing that must be written: the next change advances again.
    private func isChanged(pushes: [PlannedPush]) -> Bool {
        writesAnyway || !parts.events.isEmpty || parts.command != nil || !pushes.isEmpty
            || !parts.activities.isEmpty || !parts.removedActivities.isEmpty
            || !parts.startDevices.isEmpty || stored.clock != before.clock
            || stored.activities != before.activities
    }

    package struct Finished: Sendable {
        package let commit: PartyCommit
        package let pushes: [PlannedPush]
        package let starts: StartPlanner.Plan
        /// Starts that an activity has confirmed.
        package let startsReported: Int
    }

    private func partyCommit(_ decisions: [Decision]) -> PartyCommit {
        // After a crash a push in flight has an unknown outcome: the next start of the server must
        // load the party.
        let isAwake = stored.isAwake(at: now)
        var commit = PartyCommit(stored: stored, isAwake: isAwake, at: now)
        commit.events = parts.events
        commit.command = parts.command
        commit.decisions = decisions
        commit.joined = parts.joined
        commit.left = parts.left
        commit.changedHeroes = parts.changedHeroes
        commit.activities = parts.activities
        commit.removedActivities = parts.removedActivities
        commit.startDevices = parts.startDevices
        commit.channels = parts.channels
        return commit
    }
}

extension StoredParty {
    /// Returns when the party is due next, as far as is known now; `nil`: not before a request or
    /// an outcome arrives.
    package func wakeAt(now: WallTime) -> WallTime? {
        guard !hasUnnotedEnd else { return now }
        return earlier(storyAt, pushAt(now: now))
    }

    /// When the adventure advances next.
    package var storyAt: WallTime? {
        party.nextChangeAt.map { clock.wallTime(of: $0) }
    }

    /// Returns when a push may be sent.
    package func pushAt(now: WallTime) -> WallTime? {
        PushPlanner.nextReleaseAt(activities: activities, now: now)
    }

    /// Returns whether a start of the server must load the party.
    func isAwake(at now: WallTime) -> Bool {
        party.isOnAdventure || wakeAt(now: now) != nil
            || activities.indices.contains { activities[$0].outbox?.isInFlight == true }
    }

    /// Whether the party has no scheduled work, so that it may be evicted.
    var isSettled: Bool {
        !party.isOnAdventure
            && activities.indices.allSatisfy { activities[$0].outbox?.isSettled ?? true }
    }
}

/// Returns the earlier of two optional times.
func earlier(_ one: WallTime?, _ other: WallTime?) -> WallTime? {
    guard let one else { return other }
    guard let other else { return one }
    return min(one, other)
}
