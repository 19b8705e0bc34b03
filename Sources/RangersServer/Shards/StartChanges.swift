internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// What one change does to the starts by push (A7): those that its events cause, those that it
/// confirms, and activities that roll over.
struct StartChanges: Sendable {
    /// The player and the device that request the change, if the app named them.
    var requester: (player: PlayerID, device: DeviceID)?
    /// What to start.
    private(set) var plan = StartPlanner.Plan()
    /// Starts that an activity has confirmed.
    private(set) var confirmed = 0
    /// The devices whose rows change.
    private(set) var devices: [StartDevice] = []
    /// Activities that were not known before.
    private(set) var reported: [ActivityRegistration] = []
    /// Activities that have reached the age at which another should follow.
    private var rolledOver: [ActivityRegistration] = []

    /// Notes an activity that was not known before: a start may have caused it.
    mutating func note(_ activity: ActivityRegistration) { reported.append(activity) }

    // MARK: Starting

    /// Whether there is nothing to start and nothing to confirm.
    func areNone(after events: [PartyEvent]) -> Bool {
        rolledOver.isEmpty && reported.isEmpty && !StartPlanner.areOccasions(in: events)
    }

    /// Returns the players whose devices the change concerns.
    func players(after events: [PartyEvent], in stored: StoredParty) -> Set<PlayerID> {
        Set(occasions(after: events, in: stored).map(\.hero.owner) + reported.map(\.player))
    }

    /// Decides what to start on these devices, and notes the starts that an activity has confirmed.
    mutating func plan(
        on known: [StartDevice], after events: [PartyEvent], limits: PushToStartGuard.Limits,
        in stored: inout StoredParty, now: WallTime, wallOffset: Int64
    ) {
        var devices = known
        for activity in reported { confirmStart(of: activity, &devices, in: &stored, now: now) }
        let planner = StartPlanner(
            party: stored.party, registrations: stored.activities.map(\.registration),
            cards: PartyCards(of: stored.party, stored.activities, after: events),
            rollingOver: Set(
                stored.activities.filter { $0.outbox?.isRollingOver == true }
                    .map(\.registration.id)),
            limits: limits, now: now, wallOffset: wallOffset,
            pausedUntil: stored.clock.pausedUntil(at: now), clock: stored.clock)
        plan = planner.planAgain(devices: &devices)
        var others = devices.filter { !isRequester($0.key) }
        plan.add(planner.plan(occasions(after: events, in: stored), devices: &others))
        let before = Dictionary(uniqueKeysWithValues: known.map { ($0.key, $0.starts) })
        self.devices = (others + devices.filter { isRequester($0.key) })
            .filter { before[$0.key] != $0.starts }
    }

    /// An event that starts a hero's activities also starts those that follow old ones.
    private func occasions(
        after events: [PartyEvent], in stored: StoredParty
    ) -> [StartPlanner.Occasion] {
        let begun = StartPlanner.occasions(in: events, party: stored.party)
        let rollOvers = rollOvers(in: stored)
        guard !begun.isEmpty, !rollOvers.isEmpty else { return begun + rollOvers }
        let heroes = Set(begun.map(\.hero.id))
        return begun + rollOvers.filter { !heroes.contains($0.hero.id) }
    }

    private func isRequester(_ key: StartDevice.Key) -> Bool {
        requester?.player == key.player && requester?.device == key.device
    }

    private mutating func confirmStart(
        of activity: ActivityRegistration, _ devices: inout [StartDevice],
        in stored: inout StoredParty, now: WallTime
    ) {
        let party = stored.party
        guard
            let start = StartPlanner.settle(activity, in: party, devices: &devices, now: now)
        else { return }
        confirmed += 1
        let index = stored.activities.firstIndex { $0.registration.id == activity.id }
        guard let index else { return }
        let version = stored.version + 1
        stored.activities[index].outbox?.wasStarted(
            by: start, party: party, version: version, now: now)
    }

    // MARK: Rolling over

    /// Finds activities that are about to reach their age limit.
    mutating func beginRollOvers(in stored: inout StoredParty, now: WallTime) {
        // Almost no activity is that old, so the check copies nothing.
        for index in stored.activities.indices
        where stored.activities[index].isOldEnoughToRollOver(at: now) {
            let registration = stored.activities[index].registration
            let hasBegun =
                stored.activities[index].outbox?.beginRollOver(for: registration, now: now)
            if hasBegun == true { rolledOver.append(registration) }
        }
    }

    /// Occasions for activities that have reached the age to roll over, and for those whose start
    /// waited for another one that is now confirmed; once per hero and device.
    private func rollOvers(in stored: StoredParty) -> [StartPlanner.Occasion] {
        guard !rolledOver.isEmpty || !reported.isEmpty else { return [] }
        let confirmed = Set(reported.map(\.player))
        let waiting = stored.activities.filter { $0.outbox?.awaitsNewActivity == true }
            .map(\.registration)
        let due = rolledOver + waiting.filter { confirmed.contains($0.player) }
        var seen: Set<StartPlanner.Occasion> = []
        return due.compactMap { StartPlanner.occasion(rollingOver: $0, party: stored.party) }
            .filter { seen.insert($0).inserted }
    }

    /// Ends the activities that this one follows, once it can receive pushes.
    func finishRollOvers(
        to activity: ActivityRegistration, in stored: inout StoredParty, now: WallTime
    ) {
        guard activity.pushToken != nil, activity.device != nil else { return }
        let party = stored.party
        let version = stored.version + 1
        for index in stored.activities.indices {
            let old = stored.activities[index].registration
            guard old.id != activity.id, old.hero == activity.hero, old.device == activity.device
            else { continue }
            stored.activities[index].outbox?.finishRollOver(
                in: party, version: version, now: now)
        }
    }
}

extension LiveActivity {
    fileprivate func isOldEnoughToRollOver(at now: WallTime) -> Bool {
        guard let startedAt = outbox?.startedAt else { return false }
        return startedAt.adding(seconds: ActivityOutbox.rollOverAgeSeconds) <= now
    }
}
