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
    package internal(set) var stored: StoredParty
    package let now: WallTime
    /// The wall clock minus `now`, in milliseconds: for what leaves the server.
    private let wallOffset: Int64
    private let before: StoredParty
    var starts = StartChanges()
    var parts = ChangeParts()
    /// The step of a job that the change is.
    package var jobStep: JobStep?
    /// Whether who joins may meet players whom they have blocked.
    package var meeting = Meeting.refused
    /// Whether the row is written even without changes, because it supersedes rows of outcomes, or
    /// because nobody knows whether the last change is in the store.
    var writesAnyway = false

    package init(_ stored: StoredParty, now: WallTime, wallOffset: Int64 = 0) {
        self.stored = stored
        before = stored
        self.now = now
        self.wallOffset = wallOffset
        self.stored.clock.follow(stored.party, at: now)
    }

    package var party: Party { stored.party }

    // MARK: The game

    /// Advances the adventure to now, or by so many of its next moments.
    package mutating func advance(momentsMax: Int = Self.momentsMax) {
        guard stored.party.isOnAdventure else { return }
        note(stored.party.advance(to: stored.clock.gameTime(at: now), momentsMax: momentsMax))
    }

    /// Whether the adventure must advance further before the party can take a command.
    package var isBehind: Bool { stored.isBehind(at: now) }

    /// Ends the adventure, if the pause before its end is over.
    package mutating func endAfterPause() throws(RuleError) {
        guard let ending = stored.dueEnding(at: now) else { return }
        try apply(.arrange(.end(ending)))
    }

    /// Keeps the request behind this change, if its player may repeat it. It is written even when
    /// nothing else changes.
    package mutating func keep(_ request: KeptRequest?) {
        if let request { parts.requests = [request] }
    }

    /// Gives the party this invite code, valid from now on; its own one renews it.
    package mutating func setCode(to text: String) {
        stored.code = InviteCode(text: text, renewedAt: now)
    }

    /// Applies a command. Advance the adventure to now before you call it.
    package mutating func apply(_ command: Command) throws(RuleError) {
        precondition(parts.command == nil, "one command a change, so that its log is exact")
        if case .join(let hero) = command { try admit(hero) }
        if case .arrange(let arrangement) = command { try stored.admit(arrangement, at: now) }
        let time = stored.clock.gameTime(at: now)
        let before = stored.party
        note(try stored.party.apply(command, at: time))
        parts.command = LoggedCommand(command: command, time: time)
        if let actor = command.actor.flatMap(party.hero) {
            PushPlanner.noteAction(of: actor.owner, activities: &stored.activities, now: now)
        }
        switch command {
        case .join(let hero):
            parts.joined.append(hero)
            stored.former.noteJoined(hero.owner)
        case .leave, .disband: noteDepartures(since: before)
        case .kick(let hero):
            noteDepartures(since: before)
            if let kicked = before.anyHero(hero) { stored.former.noteKicked(kicked.owner, at: now) }
        case .promote, .claimLead: followLeader()
        case .start, .finishReadyCheck:
            if party.isOnAdventure { stored.former.noteAdventure(at: now) }
        case .arrange(.pause(let minutes, then: let ending)):
            stored.clock.pause(forMilliseconds: Int64(minutes) * 60_000, then: ending, at: now)
        case .arrange(.resume): stored.clock.resume(at: now)
        case .change(let hero, _):
            parts.changedHeroes += Homecoming(to: stored, at: now).heroes.filter { $0.id == hero }
        case .usePotion, .answer, .summonBoss, .dropLoot, .raiseStorm, .end, .arrange,
            .worldStage, .checkReadiness, .cancelReadyCheck:
            break
        // The card that has ended when the hero stayed prevents no new one.
        case .follow: forgetEndedOutboxes()
        }
    }

    /// Notes the heroes who have left. Each keeps what it has learned and found.
    private mutating func noteDepartures(since before: Party) {
        let homecoming = Homecoming(to: stored, at: now)
        for member in before.members where party.anyHero(member.hero.id) == nil {
            noteDeparture(
                of: homecoming.hero(of: member, leftUnderway: before.isOnAdventure))
        }
        for hero in before.inn where party.anyHero(hero.id) == nil { noteDeparture(of: hero) }
        followLeader()
    }

    private mutating func noteDeparture(of hero: Hero) {
        parts.left.append(hero.id)
        parts.changedHeroes.append(hero)
        if !party.hasHero(of: hero.owner) { stored.former.noteLeft(hero.owner) }
    }

    /// Refuses a player's third hero, and a player who was removed today: the engine has no clock.
    private func admit(_ hero: Hero) throws(RuleError) {
        guard !stored.former.keepsOut(hero.owner, at: now) else {
            throw .keptOut(hours: Int(FormerMembers.absenceSeconds / 3600))
        }
        let heroes = party.heroes.count { $0.owner == hero.owner }
        guard heroes < Party.heroesOfPlayerMax || party.anyHero(hero.id) != nil else {
            throw .tooManyHeroes(limit: Party.heroesOfPlayerMax)
        }
    }

    /// Notes the game master's call that makes the change; both are written together.
    package mutating func note(_ call: AuditRecord) { parts.calls.append(call) }

    /// Notes the responses to earlier pushes, for the journal.
    mutating func note(_ responses: [JournalResponse]) { parts.responses = responses }

    private mutating func note(_ events: [PartyEvent]) {
        parts.events += events
        let over = events.contains { event in
            if case .adventureOver = event.kind { true } else { false }
        }
        guard over else { return }
        parts.changedHeroes += Homecoming(to: stored, at: now).heroes
        let wallTime = now.adding(milliseconds: wallOffset)
        parts.result = AdventureResult(of: stored.party, at: wallTime)
        // The clock says when the adventure ended.
        stored.clock.resume(at: now)
    }

    // MARK: Live Activities

    package func registration(_ activity: ActivityID) -> ActivityRegistration? {
        stored.activities.first { $0.registration.id == activity }?.registration
    }

    /// Adds a Live Activity to the party, or updates a known one. Returns whether it is new.
    @discardableResult
    mutating func register(_ registration: ActivityRegistration) -> Bool {
        let isKnown = store(registration)
        if let oldest = ActivityLimits.excessEnding(stored.activities) { remove(oldest) }
        if !isKnown, registration.recipient == .player { starts.note(registration) }
        PushPlanner.refresh(
            registration.id, party: stored.party, version: stored.version + 1,
            activities: &stored.activities, clock: stored.clock, now: now)
        starts.finishRollOvers(to: registration, in: &stored, now: now)
        return !isKnown
    }

    /// Notes a client's report or the loss of a token, of a known registration.
    package mutating func update(_ registration: ActivityRegistration) {
        if registration.state.isFinal { noteEnd(of: registration) }
        store(registration)
        guard registration.state.isFinal else { return }
        if let oldest = ActivityLimits.excessEnded(stored.activities) { remove(oldest) }
    }

    /// Removes a Live Activity, so that nothing more is pushed to it.
    package mutating func remove(_ activity: ActivityID) {
        guard let known = registration(activity) else { return }
        if !known.state.isFinal { noteEnd(of: known) }
        for index in stored.activities.indices where stored.activities[index].id == activity {
            parts.noteEnd(of: &stored.activities[index], at: now)
        }
        stored.activities.removeAll { $0.registration.id == activity }
        parts.activities.removeAll { $0.id == activity }
        parts.removedActivities.append(activity)
    }

    /// Erases heroes of a deleted account, and what it has registered here. Let them leave before.
    package mutating func erase(_ heroes: [Hero], of player: PlayerID) {
        for activity in stored.activities(of: player) { remove(activity.id) }
        stored.erase(heroes)
        parts.erased = heroes.map(\.id)
    }

    /// Removes the outboxes of ended activities. Their registrations stay for this adventure, for
    /// late tokens and reports.
    private mutating func forgetEndedOutboxes() {
        let done = stored.activities.indices.filter { stored.activities[$0].outbox?.isDone == true }
        // By id: an update may forget the oldest.
        for id in done.map({ stored.activities[$0].id }) {
            guard let index = stored.activities.firstIndex(where: { $0.id == id }) else { continue }
            parts.noteEnd(of: &stored.activities[index], at: now)
            var ended = stored.activities[index].registration
            guard !ended.state.isFinal else { continue }
            ended.state = .ended
            update(ended)
        }
    }

    /// Removes the activities of earlier adventures.
    mutating func removeEndedActivities() {
        forgetEndedOutboxes()
        for activity in before.activities where activity.registration.state.isFinal {
            remove(activity.registration.id)
        }
    }

    /// Returns whether the activity was already known.
    @discardableResult
    private mutating func store(_ given: ActivityRegistration) -> Bool {
        let registration = given.sharingTexts(of: party)
        parts.activities.removeAll { $0.id == registration.id }
        parts.activities.append(registration)
        parts.removedActivities.removeAll { $0 == registration.id }
        let known = stored.activities.firstIndex { $0.registration.id == registration.id }
        if let known {
            stored.activities[known].registration = registration
            return true
        }
        let outbox =
            registration.state.isFinal
            ? nil
            : ActivityOutbox(
                activity: registration.id, hero: registration.hero,
                startedAt: registration.createdAt)
        stored.activities.append(LiveActivity(registration: registration, outbox: outbox))
        return false
    }

    // MARK: Spectators

    /// The activity behind the channel that spectators may follow now.
    package var spectators: ActivityRegistration? { stored.spectators }

    /// Notes what is to be recorded of a channel that Apple has created.
    mutating func note(_ channel: ChannelRecord) { parts.channels.append(channel) }

    /// Ends the spectators' activity with its current content.
    package mutating func closeChannel() {
        if let spectators { end(spectators.id) }
    }

    /// Ends a Live Activity with its current content, although the adventure goes on. An ended one
    /// stays as it is.
    package mutating func end(_ activity: ActivityID) {
        let party = stored.party
        let version = stored.version + 1
        for index in stored.activities.indices where stored.activities[index].id == activity {
            stored.activities[index].outbox?.end(in: party, version: version, now: now)
        }
    }

    /// Shows spectators the current leader, so that they can follow the party as long as it exists.
    /// Call it before the change is planned.
    private mutating func followLeader() {
        guard let spectators, let leader = party.members.first?.hero.id,
            leader != spectators.hero
        else { return }
        for index in stored.activities.indices
        where stored.activities[index].registration.id == spectators.id {
            stored.activities[index].outbox?.show(leader)
        }
        update(spectators.seen(through: leader))
    }

    /// Records the end of an activity. Nothing more is published to its channel; it only awaits
    /// deletion.
    private mutating func noteEnd(of activity: ActivityRegistration) {
        if let channel = ChannelRecord(of: activity, overSince: now) { note(channel) }
    }

    // MARK: Starts by push

    /// Notes that the app on this device requests the change. The app starts its own activity, so a
    /// push-to-start would show a second one.
    package mutating func isRequested(by device: DeviceID?, of player: PlayerID) {
        if let device { starts.requester = (player, device) }
    }

    /// Finds activities near their age limit. Call it once, before `playersWithStarts`.
    package mutating func beginRollOvers() { starts.beginRollOvers(in: &stored, now: now) }

    /// Whether the change concerns no device, as with almost all changes.
    var startsNothing: Bool { starts.areNone(after: parts.events) }

    /// The players whose devices must be read before the change can be committed: those whose
    /// heroes should get an activity, and those whose app has reported one.
    package var playersWithStarts: Set<PlayerID> {
        starts.players(after: parts.events, in: stored)
    }

    /// Decides what to start, and notes the starts that are confirmed. Call it just before `finish`.
    package mutating func planStarts(on devices: [StartDevice], limits: PushToStartGuard.Limits) {
        starts.plan(
            on: devices, after: parts.events, limits: limits, in: &stored, now: now,
            wallOffset: wallOffset)
    }

    // MARK: The commit

    /// Returns what to write, and what to send once it is written; `nil` when nothing has changed.
    /// `sendingSince` is the end of an owner's last pause of all pushes.
    package mutating func finish(
        sending: Sending = .allowed, since sendingSince: WallTime? = nil
    ) -> Finished? {
        stored.version = before.version + 1
        giveUpTargets()
        let decisions = PushPlanner.plan(
            parts.events, party: stored.party, version: stored.version,
            activities: &stored.activities, clock: stored.clock, now: now, wallOffset: wallOffset)
        let pushes: [PlannedPush] =
            switch sending {
            case .allowed: release(only: nil, limit: .max, sendingSince)
            case .only(let environment): release(only: environment, limit: .max, sendingSince)
            case .probe(let environment): release(only: environment, limit: 1, sendingSince)
            case .paused: []
            }
        forgetEndedOutboxes()
        guard isChanged(pushes: pushes) else { return nil }
        let sent = pushes + starts.plan.pushes
        return Finished(
            commit: partyCommit(decisions + starts.plan.decisions, sent), pushes: sent,
            starts: starts.plan, startsReported: starts.confirmed)
    }

    private mutating func release(
        only environment: PushEnvironment?, limit: Int, _ sendingSince: WallTime?
    ) -> [PlannedPush] {
        PushPlanner.release(
            party: stored.party, activities: &stored.activities,
            pausedUntil: stored.clock.pausedUntil(at: now), clock: stored.clock,
            only: environment, limit: limit, now: now, wallOffset: wallOffset,
            sendingSince: sendingSince)
    }

    /// Time alone changes nothing that must be written: the next change advances again. A passed
    /// moment of the adventure must be written, even if nobody sees it: otherwise it stays due.
    private func isChanged(pushes: [PlannedPush]) -> Bool {
        writesAnyway || stored.party.nextChangeAt != before.party.nextChangeAt || !parts.isEmpty
            || !pushes.isEmpty || !starts.devices.isEmpty || stored.clock != before.clock
            || stored.activities != before.activities || stored.code != before.code
    }

    private func partyCommit(
        _ decisions: [Decision], _ pushes: [PlannedPush]
    ) -> PartyCommit {
        // After a crash a push in flight has an unknown outcome: the next start of the server must
        // load the party.
        let isAwake = stored.isAwake(at: now)
        var commit = PartyCommit(stored: stored, isAwake: isAwake, at: now)
        parts.write(to: &commit)
        commit.decisions = decisions
        commit.meeting = meeting
        // By index: a copy of a push would count references.
        commit.pushes = pushes.indices.map { JournalPush(pushes[$0]) }
        commit.jobStep = jobStep
        commit.hasNewCode = before.version > 0 && stored.inviteCode != before.inviteCode
        commit.startDevices = starts.devices
        return commit
    }
}
