package import GameLogic
package import PartyStore
package import PushPolicy

/// One change of one party, from the state that was read to the commit that writes it: pure.
///
/// Players, game masters and time all come through here, so storage, pushes and replay are
/// written once.
package struct PartyChange: Sendable {
    /// A server that was away longer than this pauses the story for the rest: nobody wants to
    /// come home to an adventure that happened in one second.
    package static let catchUpMax: Int64 = 60_000
    /// Moments of the story that one change tells; the rest is due again at once, so that one
    /// party's long change delays nobody.
    package static let momentsMax = 16
    /// Live Activities that may watch one party at a time: two devices a hero.
    package static let activitiesMax = 2 * Party.sizeMax
    /// Ended activities that a party remembers in an adventure; beyond it the oldest goes.
    package static let endedActivitiesMax = 4 * Party.sizeMax

    package internal(set) var stored: StoredParty
    package let now: WallTime
    let before: StoredParty
    /// The player and the device that ask for the change, if the app said so.
    var asker: (player: PlayerID, device: DeviceID)?
    /// The row must be written even if nothing in it is new: it covers rows of outcomes.
    var writesAnyway = false
    var parts = Parts()

    /// What is written beside the party's row, and why.
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
        /// Activities that have become so old that another should follow.
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

    /// Tells the story up to now, or its next `momentsMax` moments.
    package mutating func advance() {
        guard stored.party.isOnAdventure else { return }
        note(
            stored.party.advance(
                to: stored.clock.gameTime(at: now), momentsMax: Self.momentsMax))
    }

    /// Whether the story has more to tell before anything can be asked of the party.
    package var isBehind: Bool {
        guard let next = stored.party.nextChangeAt else { return false }
        return next <= stored.clock.gameTime(at: now)
    }

    /// Does what is asked. Call it once the story has been told up to now.
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
            // They take home what they have learned.
            if let changed = before.hero(hero) { parts.changedHeroes.append(changed) }
        case .start, .usePotion, .summonBoss, .dropLoot, .raiseStorm, .end: break
        }
    }

    /// Starts an adventure whose clock runs at the given speed (game milliseconds a second). The
    /// command is logged with the time of the adventure before.
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

    /// Shifts the story's clock where it stood still or was set back: the wall clock may have
    /// been stepped while the server was away (R12), or it was away too long to catch up.
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

    /// Whether pushes may leave with this change.
    package enum Sending: Sendable {
        case allowed
        /// APNs takes nothing at the moment: what is due stays due.
        case paused
    }

    /// What must be written, and what may be sent once it is; `nil` when nothing has changed.
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

    /// Time alone changes nothing that must be written: it is told again when something happens.
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
        /// Starts that an activity has answered.
        package let startsReported: Int
    }

    private func partyCommit(_ decisions: [Decision]) -> PartyCommit {
        // A push in flight is of unknown outcome after a crash: the next start must look at it.
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
    /// When the party must be looked at next, as far as is known now; `nil`: only when somebody
    /// asks or an outcome arrives.
    package func wakeAt(now: WallTime) -> WallTime? {
        guard !hasUnnotedEnd else { return now }
        return earlier(storyAt, pushAt(now: now))
    }

    /// When the story goes on.
    package var storyAt: WallTime? {
        party.nextChangeAt.map { clock.wallTime(of: $0) }
    }

    /// When a push may leave.
    package func pushAt(now: WallTime) -> WallTime? {
        PushPlanner.nextReleaseAt(activities: activities, now: now)
    }

    /// Whether a start of the server must look at the party.
    func isAwake(at now: WallTime) -> Bool {
        party.isOnAdventure || wakeAt(now: now) != nil
            || activities.indices.contains { activities[$0].outbox?.isInFlight == true }
    }

    /// Whether nothing is known to happen to the party, so that it may leave memory.
    var isQuiet: Bool {
        !party.isOnAdventure
            && activities.indices.allSatisfy { activities[$0].outbox?.isQuiet ?? true }
    }
}

/// The earlier of two times that may not be known.
func earlier(_ one: WallTime?, _ other: WallTime?) -> WallTime? {
    guard let one else { return other }
    guard let other else { return one }
    return min(one, other)
}
