internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Watches the pool of the world boss: opens and closes its rounds on time, tells every running
/// shift how weak the boss has become, and gives the rewards when the event is over.
///
/// What is left to do is in the store, written with what was done: a restart goes on where the last
/// server stopped, and does nothing twice.
actor WorldBossWatch {
    /// How often the pool is read while shifts may run, in seconds.
    static let watchSeconds: Int64 = 1
    /// How long the watch sleeps at most when none is; the wall clock may have been stepped.
    static let idleSeconds: Int64 = 60
    /// How many parties, or heroes, one page has, and how many of them are changed at a time.
    private static let pageSize = 200
    private static let atOnce = 20
    /// How often a reward follows a hero who joins or leaves a party meanwhile.
    private static let triesMax = 3

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let shards: Shards
    private let followers: WorldFollowers?
    private let rounds: Rounds

    init(
        _ dependencies: Dependencies, epoch: Epoch, shards: Shards, followers: WorldFollowers?
    ) {
        self.dependencies = dependencies
        self.epoch = epoch
        self.shards = shards
        self.followers = followers
        rounds = Rounds(dependencies)
    }

    /// Runs until `stop`.
    func run() async { await rounds.run("cannot watch the world boss") { try await self.round() } }

    nonisolated func stop() { rounds.stop() }

    /// Looks at once, because a director has opened or closed an event.
    nonisolated func wake() {
        rounds.wake()
        followers?.wake()
    }

    private var store: any Store { dependencies.store }
    /// Does what is due. Returns when to look again.
    private func round() async throws -> WallTime {
        let now = rounds.now
        var next = now.adding(seconds: Self.idleSeconds)
        let events = try await store.worldEvents().prefix(WorldEvent.keptMax)
        for event in events where !rounds.isStopping {
            let event = try await advanced(event, at: now)
            try await tellShifts(of: event)
            try await giveRewards(of: event)
            guard !event.status.isOver else { continue }
            let wait = event.round > 0 ? Self.watchSeconds : Self.idleSeconds
            next = min(next, now.adding(seconds: wait), event.moment(at: now).nextAt ?? next)
        }
        return next
    }

    /// Opens or closes a round, or ends the event, when it is time. Returns the event as it is now.
    private func advanced(_ event: WorldEvent, at now: WallTime) async throws -> WorldEvent {
        let moment = event.moment(at: now)
        guard moment.status != event.status || moment.round != event.round else { return event }
        let isSet = try await store.set(
            event.number, to: moment.status, round: moment.round, from: event.status, as: nil,
            epoch: epoch)
        guard isSet else { return try await store.worldEvent(event.number) ?? event }
        followers?.wake()
        dependencies.log.info(
            "the world boss's event goes on",
            [
                "event": "\(event.number)", "status": moment.status.name,
                "round": "\(moment.round)",
            ])
        return try await store.worldEvent(event.number) ?? event
    }

    // MARK: Stages

    /// Gives the logged command to every running shift that does not know how weak the boss is.
    private func tellShifts(of event: WorldEvent) async throws {
        guard let stage = event.stageToTell else { return }
        var after: PartyKey?
        while !rounds.isStopping {
            let page = try await store.shifts(
                of: event.number, above: stage, after: after, limit: Self.pageSize)
            guard let last = page.last else { return }
            after = last.key
            var told: [PartyKey] = []
            for start in stride(from: 0, to: page.count, by: Self.atOnce) where !rounds.isStopping {
                let part = page[start..<min(start + Self.atOnce, page.count)]
                told += await tell(stage, part)
            }
            if !told.isEmpty { try await store.note(stage, of: told, epoch: epoch) }
        }
    }

    /// Returns the parties that can never be told.
    private func tell(
        _ stage: WorldStage, _ shifts: ArraySlice<(key: PartyKey, party: PartyID)>
    ) async -> [PartyKey] {
        await withTaskGroup(of: PartyKey?.self) { group in
            for shift in shifts {
                group.addTask {
                    await self.shards.tell(stage, shift.party) ? nil : shift.key
                }
            }
            var never: [PartyKey] = []
            for await key in group { if let key { never.append(key) } }
            return never
        }
    }

    // MARK: Rewards

    private func giveRewards(of event: WorldEvent) async throws {
        guard let reward = event.reward() else { return }
        var after: HeroID?
        while !rounds.isStopping {
            let page = try await store.openRewards(
                of: event.number, after: after, limit: Self.pageSize)
            guard let last = page.last else { return }
            after = last
            for start in stride(from: 0, to: page.count, by: Self.atOnce) where !rounds.isStopping {
                let part = page[start..<min(start + Self.atOnce, page.count)]
                await withDiscardingTaskGroup { group in
                    for hero in part {
                        group.addTask { await self.give(reward, to: hero, of: event.number) }
                    }
                }
            }
        }
    }

    /// Gives a hero its reward, in its party or at home. What fails is open, and tried again.
    private func give(_ reward: HomeChange, to hero: HeroID, of event: Int) async {
        do {
            guard try await store.hero(hero) != nil else {
                return try await store.forgetReward(of: hero, in: event, epoch: epoch)
            }
            for _ in 0..<Self.triesMax {
                if let party = try await store.party(of: hero) {
                    let isGiven = try await shards.change(party) { change -> Bool in
                        guard change.party.anyHero(hero) != nil else { return false }
                        try change.apply(.change(hero, reward))
                        return true
                    }
                    if isGiven { return }
                } else if !shards.map.leads {
                    return
                } else if try await store.change(hero, reward, keeping: nil, epoch: epoch) != nil {
                    return
                }
            }
        } catch ShardError.elsewhere {
            // The node that has the party gives it.
        } catch {
            dependencies.log.warning(
                "cannot give a reward of the world boss yet",
                ["hero": "\(hero)", "error": "\(error)"])
        }
    }
}

extension Shards {
    /// Returns whether the party has been told, or can be tried again.
    fileprivate func tell(_ stage: WorldStage, _ party: PartyID) async -> Bool {
        do {
            try await change(party) { try $0.apply(.worldStage(stage)) }
            return true
        } catch {
            switch error {
            case is RuleError: return false
            case ShardError.unknownParty: return false
            // Busy, or frozen: it may be tried again.
            default: return true
            }
        }
    }
}

extension WorldEvent {
    /// A boss that has survived, or whom a director has called off, grows no weaker.
    fileprivate var stageToTell: WorldStage? {
        switch status {
        case .resting, .open, .fallen: stage
        case .survived, .closed: nil
        }
    }
}

extension WorldEvent.Status {
    /// The API's name of the case.
    var name: String {
        switch self {
        case .resting: "resting"
        case .open: "open"
        case .fallen: "fallen"
        case .survived: "survived"
        case .closed: "closed"
        }
    }
}
