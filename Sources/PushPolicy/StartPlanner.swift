package import GameLogic

/// Decides on which devices an activity is started by push (A7): pure.
///
/// An activity is started when an adventure begins or a hero joins a running one, on each device of
/// the hero's player without an activity of this hero, and when an activity is about to reach its
/// age limit (A9). Nothing is queued: a start that the guard or another pending start prevents is
/// not sent later, when it would only surprise.
package struct StartPlanner: Sendable {
    /// A reason for an activity, and the hero whose player should see it.
    package struct Occasion: Hashable, Sendable {
        package let hero: Hero
        /// The event that called for it; for a roll-over, the newest one.
        package let sequence: Int
        package let reason: StartReason
        /// The one device concerned; `nil`: all of the player's.
        package var device: StartDevice.Key?
    }

    /// The decisions, for the ledger, APNs and the counters.
    package struct Plan: Sendable {
        package var decisions: [Decision] = []
        package var pushes: [PlannedPush] = []
        package var dispositions: [Disposition] = []

        package init() {}

        package mutating func add(_ other: Plan) {
            decisions += other.decisions
            pushes += other.pushes
            dispositions += other.dispositions
        }
    }

    package enum Disposition: Hashable, Sendable {
        case sent
        /// Another start is pending on this device.
        case pending
        /// A start of this adventure has gone to this device, and its app has said nothing since.
        case unadopted
        /// No activity has followed the last starts on this device.
        case stopped
        case held(PushToStartGuard.Limit)
    }

    private let party: Party
    private let registrations: [ActivityRegistration]
    private let cards: PartyCards
    private let rollingOver: Set<ActivityID>
    private let limits: PushToStartGuard.Limits
    private let now: WallTime
    /// The wall clock minus `now`, in milliseconds.
    private let wallOffset: Int64
    private let pausedUntil: WallTime?
    private let clock: (any AdventureClock)?

    /// Creates a planner for the current party with its activities, which say what `cards` have.
    /// Those that are rolling over prevent no new one. `pausedUntil` is the end of a pause of the
    /// adventure, `clock` the adventure's, `wallOffset` the wall clock minus `now`, in
    /// milliseconds.
    package init(
        party: Party, registrations: [ActivityRegistration], cards: PartyCards? = nil,
        rollingOver: Set<ActivityID>, limits: PushToStartGuard.Limits, now: WallTime,
        wallOffset: Int64 = 0, pausedUntil: WallTime? = nil, clock: (any AdventureClock)? = nil
    ) {
        self.party = party
        self.registrations = registrations
        self.cards = cards ?? PartyCards(of: party, [])
        self.rollingOver = rollingOver
        self.limits = limits
        self.now = now
        self.wallOffset = wallOffset
        self.pausedUntil = pausedUntil
        self.clock = clock
    }

    /// Returns whether any of these events calls for an activity.
    package static func areOccasions(in events: [PartyEvent]) -> Bool {
        for event in events where event.kind.startsActivities { return true }
        return false
    }

    /// Returns the occasions in these events, given the party after them.
    package static func occasions(in events: [PartyEvent], party: Party) -> [Occasion] {
        guard party.isOnAdventure else { return [] }
        return events.flatMap { event -> [Occasion] in
            guard event.kind.startsActivities else { return [] }
            guard let tag = event.kind.hero else {
                return party.members.map { begin(for: $0.hero, with: event) }
            }
            return party.hero(tag.id).map { [begin(for: $0, with: event)] } ?? []
        }
    }

    private static func begin(for hero: Hero, with event: PartyEvent) -> Occasion {
        Occasion(hero: hero, sequence: event.sequence, reason: .adventureBegins)
    }

    /// Returns the occasion for an activity that follows this one, which is rolling over (A9).
    package static func occasion(
        rollingOver activity: ActivityRegistration, party: Party
    ) -> Occasion? {
        guard party.isOnAdventure, let device = activity.device,
            let hero = party.hero(activity.hero)
        else { return nil }
        return Occasion(
            hero: hero, sequence: party.nextSequence - 1, reason: .rollOver,
            device: StartDevice.Key(
                player: activity.player, environment: activity.environment, device: device))
    }

    /// Decides for every occasion and device, and notes pending starts in the devices: commit them
    /// before anything is sent.
    package func plan(_ occasions: [Occasion], devices: inout [StartDevice]) -> Plan {
        var plan = Plan()
        for occasion in occasions {
            for index in devices.indices where isMeant(devices[index], by: occasion) {
                decide(occasion, &devices[index], &plan)
            }
        }
        return plan
    }

    /// Retries the starts that Apple did not accept, where they are still wanted.
    package func planAgain(devices: inout [StartDevice]) -> Plan {
        var plan = Plan()
        for index in devices.indices where devices[index].starts.isDueAgain(in: party.id, at: now) {
            guard let pending = devices[index].starts.pending, party.isOnAdventure,
                now <= pending.worthUntil, let hero = party.hero(pending.hero),
                lacksActivity(of: hero, devices[index])
            else {
                devices[index].starts.takeBack()
                continue
            }
            let occasion = Occasion(
                hero: hero, sequence: pending.sequence,
                reason: pending.reason)
            send(
                occasion, dueAt: pending.dueAt, readyAt: pending.readyAt, &devices[index], &plan)
        }
        return plan
    }

    /// Notes that an app has reported an activity, however late: it has followed the start that
    /// created it. Without one, the app on the activity's device has only said what it shows.
    ///
    /// An activity that names no device takes the oldest start of its hero.
    package static func settle(
        _ activity: ActivityRegistration, in party: Party, devices: inout [StartDevice],
        now: WallTime
    ) -> PendingStart? {
        let waiting = devices.indices.compactMap { index -> (index: Int, start: PendingStart)? in
            guard activity.isOn(devices[index].key.device) else { return nil }
            return devices[index].starts.start(of: activity.hero, in: party)
                .map { (index, $0) }
        }
        guard let oldest = waiting.min(by: { $0.start.dueAt < $1.start.dueAt }) else {
            for index in devices.indices where activity.device == devices[index].key.device {
                _ = devices[index].starts.noteContact(at: now)
            }
            return nil
        }
        devices[oldest.index].starts.noteFollowed(oldest.start)
        return oldest.start
    }

    // MARK: One device

    private func isMeant(_ device: StartDevice, by occasion: Occasion) -> Bool {
        guard occasion.device == nil || occasion.device == device.key else { return false }
        return lacksActivity(of: occasion.hero, device)
    }

    /// Returns whether the hero has no activity there: neither a living one that lasts beyond its
    /// roll-over, nor one dismissed by the user in this adventure.
    private func lacksActivity(of hero: Hero, _ device: StartDevice) -> Bool {
        guard device.key.player == hero.owner, device.token != nil else { return false }
        return !registrations.contains { activity in
            guard activity.hero == hero.id, activity.isOn(device.key.device) else { return false }
            let stays = activity.state.isLiving && !rollingOver.contains(activity.id)
            return stays || activity.state == .dismissed
        }
    }

    private func decide(_ occasion: Occasion, _ device: inout StartDevice, _ plan: inout Plan) {
        device.starts.followClock(to: now)
        let disposition = disposition(on: device)
        plan.dispositions.append(disposition)
        plan.decisions.append(
            Decision(
                sequence: occasion.sequence,
                activity: Self.ledgerName(of: occasion.hero.id, on: device.key.device),
                disposition: disposition == .sent ? .sent : .dropped, priority: .high,
                carriesAlert: disposition == .sent, notes: disposition.note(occasion.reason),
                limit: disposition.limit))
        guard disposition == .sent else { return }
        device.starts.setPendingAside(since: device.traits.tokenConfirmedAt)
        device.starts.guardian.spend(at: now)
        send(occasion, dueAt: now, readyAt: now, &device, &plan)
    }

    private func disposition(on device: StartDevice) -> Disposition {
        if device.starts.pending(at: now) != nil { return .pending }
        if device.unfollowedStarts >= DeviceStarts.unfollowedMax { return .stopped }
        if device.awaitsActivity(in: party) { return .unadopted }
        return device.starts.guardian.limit(limits, at: now).map(Disposition.held) ?? .sent
    }

    private func send(
        _ occasion: Occasion, dueAt: WallTime, readyAt: WallTime, _ device: inout StartDevice,
        _ plan: inout Plan
    ) {
        let hero = occasion.hero
        let current = CurrentParty(of: party, pausedUntil: pausedUntil, clock: clock)
        let known = device.starts.pending
        let isRetry = known?.party == party.id && known?.sequence == occasion.sequence
        guard let token = device.token,
            let shown = content(of: hero.id, in: current, after: isRetry ? known : nil)
        else { return }
        let timestamp = now.adding(milliseconds: wallOffset).seconds
        device.starts.pending = PendingStart(
            party: party.id, hero: hero.id, adventure: party.adventure?.seed ?? 0,
            content: shown.content, telling: shown.news, language: device.traits.language,
            sequence: occasion.sequence, reason: occasion.reason, dueAt: dueAt,
            timestamp: timestamp, phase: .sent, refusals: isRetry ? known?.refusals ?? 0 : 0)
        plan.pushes.append(
            PlannedPush(
                event: .start(
                    PlannedStart(
                        party: party.id, hero: hero, sequence: occasion.sequence,
                        asksForPushToken: device.traits.asksForPushToken)),
                recipient: .device(device.key), target: .device(token),
                environment: device.key.environment,
                tokenConfirmedAt: device.traits.tokenConfirmedAt, content: shown.content,
                language: device.traits.language, tells: shown.news.sequence,
                alert: occasion.reason.alert(for: hero.tag), priority: .high, isFirst: true,
                timestamp: timestamp,
                staleDate: StalePlanner.staleDate(ofStart: hero.id, in: current, at: now)
                    .onWire(wallOffset, after: timestamp),
                relevanceScore: Relevance.alerting,
                precedence: Relevance.precedence(ofStart: now),
                expiration: dueAt.adding(seconds: PendingStart.worthSeconds)
                    .adding(milliseconds: wallOffset), contentVersion: 0,
                times: PlannedPush.Times(dueSince: dueAt, readyAt: readyAt)))
    }

    /// Returns what a start shows: the news of the card that it follows, or of its first try,
    /// unless something else matters more by now.
    private func content(
        of hero: HeroID, in current: CurrentParty, after first: PendingStart?
    ) -> ActivityOutbox.Shown? {
        let card = Card(of: hero)
        let told = first.flatMap { News($0.content, $0.news) }
        guard let news = cards.news(on: card, after: told), let index = current.index(of: hero)
        else { return nil }
        let question = current.sentence(on: card)
        return ActivityOutbox.Shown(
            content: LocalizableContent(
                health: current.members[index].health, text: question ?? news.text),
            telling: question == nil ? news.mark : .none, version: 0)
    }

    // MARK: The ledger

    /// Returns the name in the ledger of an activity that has no id yet.
    package static func ledgerName(of hero: HeroID, on device: DeviceID) -> ActivityID {
        ActivityID("push-to-start/\(hero)/\(device)")
    }
}

extension PartyEvent.Kind {
    /// Whether the event calls for an activity: of its hero, or without one of every member.
    fileprivate var startsActivities: Bool {
        switch self {
        case .adventureBegan, .heroJoined, .heroFollowed: true
        case .commonLootFound, .rareLootFound, .smallHeal, .hurt, .criticallyHit, .knockedDown,
            .potionUsed, .revived, .foeAppeared, .foeDefeated, .foeLeft, .bossAppeared,
            .bossEnraged, .bossDefeated, .stormRaised, .heroLeft, .connectionLost,
            .connectionReturned, .partyDefeated,
            .timeLimitReached, .adventureOver, .leaderChanged, .potionsFound, .adventurePaused,
            .adventureResumed, .messageSent, .bossGathers, .bossSweeps, .inDanger, .helpAsked,
            .lastStand, .secondWind, .taleTold, .forkAsked, .forkTaken, .fleeAsked, .fled,
            .guardAsked, .guarded, .lootAsked, .lootGiven, .breathTaken, .potionsRefilled,
            .stopAsked, .stopped, .worldHit, .worldBossWeakened, .worldBossDefeated,
            .lootForAll, .readyAsked, .readyCheckEnded, .heroStayed:
            false
        }
    }
}

extension StartPlanner.Disposition {
    fileprivate func note(_ reason: StartReason) -> Decision.Notes {
        switch (self, reason) {
        case (.sent, .adventureBegins): .startsForAdventure
        case (.sent, .rollOver): .startsForRollOver
        case (.pending, _): .startIsPending
        case (.unadopted, _): .startIsUnadopted
        case (.stopped, _): .startsAreStopped
        case (.held(.anHour), _): .heldForHour
        case (.held(.aDay), _): .heldForDay
        }
    }

    /// How many starts the guard allows, if it was the guard.
    fileprivate var limit: Int {
        switch self {
        case .held(.anHour(let limit)), .held(.aDay(let limit)): limit
        case .sent, .pending, .unadopted, .stopped: 0
        }
    }
}

extension ActivityRegistration {
    /// Returns whether the activity is, or may be, on this device. One that names no device may be
    /// on any, but spectators' activities are not the player's.
    fileprivate func isOn(_ device: DeviceID) -> Bool {
        guard recipient == .player else { return false }
        return self.device == nil || self.device == device
    }
}
