package import GameLogic
internal import PartyStore
package import PushPolicy

/// Activities that start by push (A7).
extension PartyChange {
    /// Notes that the app on this device requests the change. The app starts its own activity, so a
    /// push-to-start would show a second one.
    package mutating func isAsked(by device: DeviceID?, of player: PlayerID) {
        guard let device else { return }
        asker = (player, device)
    }

    /// Finds activities that are about to reach their age limit. Call it once, before you read
    /// `playersWithStarts`.
    package mutating func beginRollOvers() {
        // Almost no activity is that old, so the check copies nothing.
        for index in stored.activities.indices
        where stored.activities[index].isOldEnoughToRollOver(at: now) {
            let registration = stored.activities[index].registration
            let hasBegun =
                stored.activities[index].outbox?.beginRollOver(for: registration, now: now)
            if hasBegun == true { parts.rolledOver.append(registration) }
        }
    }

    /// Whether the change concerns no device, as with almost all changes.
    var startsNothing: Bool {
        parts.rolledOver.isEmpty && parts.reported.isEmpty
            && !StartPlanner.areOccasions(in: parts.events)
    }

    /// The players whose devices must be read before the change can be committed: those whose
    /// heroes should get an activity, and those whose app has reported one.
    package var playersWithStarts: Set<PlayerID> {
        Set(occasions.map(\.hero.owner) + parts.reported.map(\.player))
    }

    /// Decides what to start on the players' devices, and notes the starts that an activity has
    /// confirmed. Call it once, just before `finish`.
    package mutating func planStarts(on devices: [StartDevice], limits: PushToStartGuard.Limits) {
        let before = devices
        var devices = devices
        for activity in parts.reported { settleStart(of: activity, &devices) }
        let planner = StartPlanner(
            party: party, registrations: stored.activities.map(\.registration),
            rollingOver: Set(
                stored.activities.filter { $0.outbox?.isRollingOver == true }
                    .map(\.registration.id)),
            limits: limits, now: now)
        parts.starts = planner.planAgain(devices: &devices)
        var others = devices.filter { !isAsker($0.key) }
        let plan = planner.plan(occasions, devices: &others)
        parts.starts.add(plan)
        let known = Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0.starts) })
        parts.startDevices = (others + devices.filter { isAsker($0.key) })
            .filter { known[$0.key] != $0.starts }
    }

    /// An event that starts a hero's activities also starts those that follow old ones.
    private var occasions: [StartPlanner.Occasion] {
        let begun = StartPlanner.occasions(in: parts.events, party: party)
        let rollOvers = rollOvers
        guard !begun.isEmpty, !rollOvers.isEmpty else { return begun + rollOvers }
        let heroes = Set(begun.map(\.hero.id))
        return begun + rollOvers.filter { !heroes.contains($0.hero.id) }
    }

    /// Occasions for activities that have reached the age to roll over, and for those whose start
    /// waited for another one that is now confirmed; once per hero and device.
    private var rollOvers: [StartPlanner.Occasion] {
        guard !parts.rolledOver.isEmpty || !parts.reported.isEmpty else { return [] }
        let answered = Set(parts.reported.map(\.player))
        let waiting = stored.activities.filter { $0.outbox?.awaitsNewActivity == true }
            .map(\.registration)
        let due = parts.rolledOver + waiting.filter { answered.contains($0.player) }
        var seen: Set<StartPlanner.Occasion> = []
        return due.compactMap { StartPlanner.occasion(rollingOver: $0, party: party) }
            .filter { seen.insert($0).inserted }
    }

    private func isAsker(_ key: StartDevice.Key) -> Bool {
        asker?.player == key.player && asker?.device == key.device
    }

    /// Ends the activities that this one follows, once it can receive pushes.
    mutating func finishRollOvers(to activity: ActivityRegistration) {
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

    private mutating func settleStart(
        of activity: ActivityRegistration, _ devices: inout [StartDevice]
    ) {
        guard let start = StartPlanner.settle(activity, devices: &devices) else { return }
        parts.startsReported += 1
        let index = stored.activities.firstIndex { $0.registration.id == activity.id }
        guard let index else { return }
        let party = stored.party
        let version = stored.version + 1
        stored.activities[index].outbox?.wasStarted(
            by: start, party: party, version: version, now: now)
    }
}

extension LiveActivity {
    fileprivate func isOldEnoughToRollOver(at now: WallTime) -> Bool {
        guard let startedAt = outbox?.startedAt else { return false }
        return startedAt.adding(seconds: ActivityOutbox.rollOverAgeSeconds) <= now
    }
}
