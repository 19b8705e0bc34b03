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
    /// Live Activities that may watch one party at a time: two devices a hero.
    package static let activitiesMax = 2 * Party.sizeMax

    package internal(set) var record: PartyRecord
    package private(set) var registrations: [ActivityID: ActivityRegistration]
    package let now: WallTime
    private let before: PartyRecord
    /// The player and the device that ask for the change, if the app said so.
    var asker: (player: PlayerID, device: DeviceID)?
    var commit: CommitParts

    struct CommitParts: Sendable {
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
        record = stored.record
        before = stored.record
        registrations = Dictionary(
            stored.registrations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.now = now
        commit = CommitParts()
        followClock()
    }

    package var party: Party { record.party }

    // MARK: The game

    /// Tells the story up to now.
    package mutating func advance() {
        guard record.party.isOnAdventure else { return }
        note(record.party.advance(to: record.clock.gameTime(at: now)))
    }

    /// Tells the story up to now, and does what is asked.
    package mutating func apply(_ command: Command) throws(RuleError) {
        precondition(commit.command == nil, "one command a change, so that its log is exact")
        let time = record.clock.gameTime(at: now)
        let before = record.party
        note(try record.party.apply(command, at: time))
        commit.command = LoggedCommand(command: command, time: time)
        switch command {
        case .join(let hero): commit.joined.append(hero)
        case .leave(let hero):
            commit.left.append(hero)
            followLeader()
            // They take home what they have learned.
            if let changed = before.hero(hero) { commit.changedHeroes.append(changed) }
        case .start, .usePotion, .summonBoss, .dropLoot, .raiseStorm, .end: break
        }
    }

    /// Starts an adventure whose clock runs at the given speed (game milliseconds a second). The
    /// command is logged with the time of the adventure before.
    package mutating func start(seed: UInt64, millisecondsPerSecond: Int64) throws(RuleError) {
        try apply(.start(seed: seed))
        removeEndedCards()
        record.clock = PartyClock(beganAt: now, millisecondsPerSecond: millisecondsPerSecond)
    }

    private mutating func note(_ events: [PartyEvent]) {
        commit.events += events
        let over = events.contains { event in
            if case .adventureOver = event.kind { true } else { false }
        }
        if over { commit.changedHeroes += record.party.members.map(\.hero) }
    }

    /// Shifts the story's clock where it stood still or was set back: the wall clock may have
    /// been stepped while the server was away (R12), or it was away too long to catch up.
    private mutating func followClock() {
        guard let adventure = record.party.adventure, record.party.isOnAdventure else { return }
        let due = record.party.nextChangeAt ?? adventure.advancedTo
        let lateness = now.milliseconds - record.clock.wallTime(of: due).milliseconds
        let ahead = record.clock.wallTime(of: adventure.advancedTo).milliseconds - now.milliseconds
        if lateness > Self.catchUpMax {
            record.clock.beganAt = record.clock.beganAt.adding(milliseconds: lateness)
        } else if ahead > 0 {
            record.clock.beganAt = record.clock.beganAt.adding(milliseconds: -ahead)
        }
    }

    // MARK: Live Activities

    /// Takes a Live Activity into the party's care, or what changed of it.
    package mutating func register(_ registration: ActivityRegistration) {
        let known = record.outbox.contains { $0.activity == registration.id }
        if !known && !registration.state.isFinal {
            record.outbox.append(
                ActivityOutbox(
                    activity: registration.id, hero: registration.hero,
                    startedAt: registration.createdAt))
        }
        if registrations[registration.id] == nil, registration.watcher == .player {
            commit.reported.append(registration)
        }
        registrations[registration.id] = registration
        commit.activities.append(registration)
        PushPlanner.refresh(
            registration, party: record.party, version: record.version + 1,
            outbox: &record.outbox, now: now)
        finishRollOvers(to: registration)
    }

    /// Notes a client's report, or that its token is dead; the registration must be known.
    package mutating func update(_ registration: ActivityRegistration) {
        if registration.state.isFinal { noteEnd(of: registration) }
        registrations[registration.id] = registration
        commit.activities.append(registration)
    }

    /// Takes a token away that Apple calls dead, if it is still this one and was put before
    /// `since` (compare-and-delete by the 410's timestamp, A6). A dead channel ends its watch.
    package mutating func retire(_ dead: DeadTarget, of activity: ActivityID) {
        guard var registration = registrations[activity], registration.target == dead.target
        else { return }
        switch dead {
        case .token(let token):
            if let since = token.since, registration.tokenRegisteredAt >= since { return }
            registration.pushToken = nil
        case .channel: registration.state = .ended
        }
        update(registration)
    }

    /// Forgets a Live Activity: nothing is pushed to it any more.
    package mutating func remove(_ activity: ActivityID) {
        if let known = registrations[activity], !known.state.isFinal { noteEnd(of: known) }
        record.outbox.removeAll { $0.activity == activity }
        registrations[activity] = nil
        commit.activities.removeAll { $0.id == activity }
        commit.removedActivities.append(activity)
    }

    /// Players' activities that may still be pushed to.
    package var livingActivities: Int {
        record.outbox.count { entry in
            guard let known = registrations[entry.activity], known.watcher == .player else {
                return false
            }
            return !entry.isDone && !known.state.isFinal
        }
    }

    /// What is owed to a card that has ended is nothing. Its registration stays for this
    /// adventure, so that a client that comes late with a token or a report is understood.
    private mutating func forgetDoneCards() {
        for entry in record.outbox where entry.isDone {
            guard var ended = registrations[entry.activity], !ended.state.isFinal else { continue }
            ended.state = .ended
            update(ended)
        }
        record.outbox.removeAll(where: \.isDone)
    }

    /// Forgets the cards of earlier adventures.
    private mutating func removeEndedCards() {
        forgetDoneCards()
        for registration in stored.registrations where registration.state.isFinal {
            remove(registration.id)
        }
    }

    // MARK: The commit

    /// What must be written, and what may be sent once it is; `nil` when nothing has changed.
    package mutating func finish() -> Finished? {
        let decisions = PushPlanner.plan(
            commit.events, party: record.party, version: before.version + 1,
            outbox: &record.outbox, registrations: registrations, now: now)
        let orders = PushPlanner.release(
            party: record.party, outbox: &record.outbox, registrations: registrations, now: now)
        forgetDoneCards()
        let isChanged =
            record != before || !commit.activities.isEmpty || !commit.removedActivities.isEmpty
            || !commit.startDevices.isEmpty
        guard isChanged else { return nil }
        record.version = before.version + 1
        // A push in flight is of unknown fate after a crash: the next start must look at it.
        record.nextDueAt = record.outbox.contains(where: \.isInFlight) ? now : wakeAt
        return Finished(
            commit: partyCommit(decisions + commit.starts.decisions), orders: orders,
            starts: commit.starts, startsReported: commit.startsReported, result: stored)
    }

    /// When the party must be looked at next, as far as is known now.
    package var wakeAt: WallTime? {
        let change = record.party.nextChangeAt.map { record.clock.wallTime(of: $0) }
        let release = PushPlanner.nextReleaseAt(
            outbox: record.outbox, registrations: registrations, now: now)
        return [change, release, hasUnnotedEnd ? now : nil].compactMap { $0 }.min()
    }

    package struct Finished: Sendable {
        package let commit: PartyCommit
        package let orders: [PushOrder]
        package let starts: StartPlanner.Plan
        /// Starts that a card has answered.
        package let startsReported: Int
        package let result: StoredParty
    }

    var stored: StoredParty {
        StoredParty(
            record: record,
            registrations: registrations.values.sorted { $0.id < $1.id })
    }

    private func partyCommit(_ decisions: [Decision]) -> PartyCommit {
        var whole = PartyCommit(record: record, at: now)
        whole.events = commit.events
        whole.command = commit.command
        whole.decisions = decisions
        whole.joined = commit.joined
        whole.left = commit.left
        whole.changedHeroes = commit.changedHeroes
        whole.activities = commit.activities
        whole.removedActivities = commit.removedActivities
        whole.startDevices = commit.startDevices
        whole.channels = commit.channels
        return whole
    }
}
