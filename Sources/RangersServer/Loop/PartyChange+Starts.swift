package import GameLogic
internal import PartyStore
package import PushPolicy

/// Cards that begin by push (A7).
extension PartyChange {
    /// The app of this device asks for the change, and will begin its card by itself: a start by
    /// push would show a second one.
    package mutating func isAsked(by device: DeviceID?, of player: PlayerID) {
        guard let device else { return }
        asker = (player, device)
    }

    /// Looks for cards that are about to end for their age. Call it once, before it is asked whose
    /// devices must be known.
    package mutating func beginRollOvers() {
        for index in record.outbox.indices {
            guard let activity = registrations[record.outbox[index].activity],
                record.outbox[index].beginRollOver(for: activity, now: now)
            else { continue }
            commit.rolledOver.append(activity)
        }
    }

    /// Whose devices must be known before the change can be committed: of players whose heroes
    /// should get a card, and of those whose app has told of one.
    package var playersWithStarts: Set<PlayerID> {
        Set(occasions.map(\.hero.owner) + commit.reported.map(\.player))
    }

    /// Decides what is started on the players' devices, and notes which starts have been answered
    /// by a card. Call it once, just before `finish`.
    package mutating func planStarts(on devices: [StartDevice], limits: PushToStartGuard.Limits) {
        let before = devices
        var devices = devices
        for activity in commit.reported { settleStart(of: activity, &devices) }
        let planner = StartPlanner(
            party: party, registrations: Array(registrations.values),
            rollingOver: Set(record.outbox.filter(\.isRollingOver).map(\.activity)),
            limits: limits, now: now)
        commit.starts = planner.planAgain(devices: &devices)
        var others = devices.filter { !isAsker($0.key) }
        let plan = planner.plan(occasions, devices: &others)
        commit.starts.add(plan)
        let known = Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0.starts) })
        commit.startDevices = (others + devices.filter { isAsker($0.key) })
            .filter { known[$0.key] != $0.starts }
    }

    /// An event that calls for a hero's cards calls for those that should follow old ones, too.
    private var occasions: [StartPlanner.Occasion] {
        let begun = StartPlanner.occasions(in: commit.events, party: party)
        let heroes = Set(begun.map(\.hero.id))
        return begun + rollOvers.filter { !heroes.contains($0.hero.id) }
    }

    /// For cards that have come of that age, and for those whose start another one was held back
    /// by that has been answered now; once a hero and device.
    private var rollOvers: [StartPlanner.Occasion] {
        let answered = Set(commit.reported.map(\.player))
        let waiting = record.outbox.filter(\.awaitsNewCard).compactMap {
            registrations[$0.activity]
        }
        let due = commit.rolledOver + waiting.filter { answered.contains($0.player) }
        var seen: Set<StartPlanner.Occasion> = []
        return due.compactMap { StartPlanner.occasion(rollingOver: $0, party: party) }
            .filter { seen.insert($0).inserted }
    }

    private func isAsker(_ key: StartDevice.Key) -> Bool {
        asker?.player == key.player && asker?.device == key.device
    }

    /// The cards that this one follows are not needed any more, once it can be pushed to.
    mutating func finishRollOvers(to activity: ActivityRegistration) {
        guard activity.pushToken != nil, activity.device != nil else { return }
        for index in record.outbox.indices {
            guard let old = registrations[record.outbox[index].activity], old.id != activity.id,
                old.hero == activity.hero, old.device == activity.device
            else { continue }
            record.outbox[index].finishRollOver(
                in: party, version: record.version + 1, now: now)
        }
    }

    private mutating func settleStart(
        of activity: ActivityRegistration, _ devices: inout [StartDevice]
    ) {
        guard let start = StartPlanner.settle(activity, devices: &devices) else { return }
        commit.startsReported += 1
        guard let index = record.outbox.firstIndex(where: { $0.activity == activity.id }) else {
            return
        }
        record.outbox[index].wasStarted(
            by: start, party: party, version: record.version + 1, now: now)
    }
}
