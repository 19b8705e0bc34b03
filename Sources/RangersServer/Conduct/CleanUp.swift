internal import GameLogic
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// Ends parties that were left alone, removes accounts that were never in one, and forgets old reports
/// and results, hour by hour.
///
/// What counts for a party is the time in which servers ran and saw nobody, in whole hours, which the
/// store keeps: no time of a clock decides, so a clock that was wrong at one start ends nothing. The
/// first sweep comes an hour after the start.
actor CleanUp {
    /// Why a party ends.
    enum Reason: String {
        /// A day without an adventure and without a request of a member.
        case idle
        /// A week without a request of a member, whatever the party does.
        case ghost
    }

    /// The pause between two sweeps, in seconds: what a sweep adds to a party's count.
    static let restSeconds: Int64 = 3600
    /// In hours.
    static let idleMax = 24
    /// In hours.
    static let unseenMax = 7 * 24
    /// The most parties, accounts and reports of one step.
    static let stepMax = 200
    /// The pause between two steps, in milliseconds.
    static let pauseMilliseconds: Int64 = 10

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let shards: Shards
    private let players: KnownPlayers
    private let sightings: PlayerSightings
    private let unusedSeconds: Int64
    private let rest: Sleeper
    private var isStopping = false
    /// When the last sweep began; what was seen since counts for the next one.
    private var sweptAt: WallTime

    init(
        _ dependencies: Dependencies, _ settings: Server.Settings, epoch: Epoch, shards: Shards,
        _ players: KnownPlayers, sightings: PlayerSightings
    ) {
        self.dependencies = dependencies
        self.epoch = epoch
        self.shards = shards
        self.players = players
        self.sightings = sightings
        unusedSeconds = Int64(settings.unusedAccountDays) * 24 * 3600
        sweptAt = dependencies.clock.now()
        rest = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            await rest.sleep(until: dependencies.clock.now().adding(seconds: Self.restSeconds))
            guard !isStopping else { return }
            let since = sweptAt
            sweptAt = dependencies.clock.now()
            do {
                try await sweep(since: since)
                guard shards.map.leads else { continue }
                try await removeUnusedAccounts(since: since)
                try await forgetReports(at: sweptAt)
                try await forgetResults()
            } catch {
                dependencies.log.warning("cannot clean up yet", ["error": "\(error)"])
            }
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    // MARK: Parties

    private func sweep(since: WallTime) async throws {
        var after: PartyKey?
        repeat {
            let page = try await dependencies.store.quietParties(
                after: after, limit: Self.stepMax)
            try await count(page.parties.filter { shards.map.isHere($0.stored.id) }, since: since)
            after = page.next
            await pause()
        } while after != nil && !isStopping
    }

    private func count(_ parties: [QuietParty], since: WallTime) async throws {
        var changed: [PartyKey: UnseenHours] = [:]
        for party in parties where !isStopping {
            var hours = hours(of: party, since: since)
            if let reason = Self.reason(for: hours), await end(party.stored.id, reason, since) {
                hours = UnseenHours()
            }
            if hours != party.hours { changed[party.stored.key] = hours }
        }
        guard !changed.isEmpty else { return }
        try await dependencies.store.write(changed, epoch: epoch)
    }

    private func hours(of party: QuietParty, since: WallTime) -> UnseenHours {
        guard !isSeen(party.stored.party, since: since) else { return UnseenHours() }
        var hours = party.hours
        hours.unseen += 1
        hours.idle = party.stored.hasAdventure(since: since) ? 0 : hours.idle + 1
        return hours
    }

    private func isSeen(_ party: Party, since: WallTime) -> Bool {
        party.heroes.contains { sightings.hasSeen($0.owner, since: since) }
    }

    private static func reason(for hours: UnseenHours) -> Reason? {
        if hours.unseen >= unseenMax { return .ghost }
        return hours.idle >= idleMax ? .idle : nil
    }

    /// Sends all heroes home, unless somebody has come meanwhile. Returns whether they went.
    private func end(_ party: PartyID, _ reason: Reason, _ since: WallTime) async -> Bool {
        do {
            if reason == .ghost { try await endAdventure(of: party, since) }
            let code = RandomText.code(length: InviteCode.length)
            let sightings = sightings
            let isEnded = try await shards.change(party) { change in
                guard !change.party.isOnAdventure,
                    !change.party.heroes.contains(where: {
                        sightings.hasSeen($0.owner, since: since)
                    })
                else { return false }
                if !change.party.members.isEmpty { try change.apply(.disband) }
                change.setCode(to: code)
                return true
            }
            guard isEnded else { return false }
            dependencies.metrics.add(.partiesLeftAlone, labels: "reason=\"\(reason.rawValue)\"")
            dependencies.log.info(
                "an idle party has ended",
                ["party": "\(party)", "reason": reason.rawValue])
            return true
        } catch {
            dependencies.log.warning(
                "cannot end an idle party",
                ["party": "\(party)", "error": "\(error)"])
            return false
        }
    }

    private func endAdventure(of party: PartyID, _ since: WallTime) async throws {
        let sightings = sightings
        try await shards.change(party) { change in
            let isSeen = change.party.heroes.contains {
                sightings.hasSeen($0.owner, since: since)
            }
            guard change.party.isOnAdventure, !isSeen else { return }
            try change.apply(.end)
        }
    }

    // MARK: Accounts

    /// An account stays whose player has sent this server a request since the last sweep.
    private func removeUnusedAccounts(since: WallTime) async throws {
        var after: PlayerID?
        repeat {
            let time = dependencies.clock.now().adding(seconds: -unusedSeconds)
            let page = try await dependencies.store.unusedAccounts(
                registeredBefore: time, after: after, limit: Self.stepMax)
            let unseen = page.elements.filter { !sightings.hasSeen($0, since: since) }
            if !unseen.isEmpty {
                let count = try await players.removeUnused(unseen, registeredBefore: time)
                dependencies.metrics.add(.accountsUnused, Double(count))
                dependencies.log.info("unused accounts are removed", ["accounts": "\(count)"])
            }
            after = page.next
            await pause()
        } while after != nil && !isStopping
    }

    // MARK: Reports

    private func forgetReports(at now: WallTime) async throws {
        let time = now.adding(seconds: -NameReport.keptDays * 24 * 3600)
        while !isStopping {
            let count = try await dependencies.store.forgetReports(
                before: time, limit: Self.stepMax, epoch: epoch)
            guard count == Self.stepMax else { return }
            await pause()
        }
    }

    // MARK: Results

    /// Seasons end by the wall clock, which players read.
    private func forgetResults() async throws {
        let now = dependencies.clock.wall(at: dependencies.clock.now())
        while !isStopping {
            let isLeft = try await dependencies.store.forgetResults(
                before: Leaderboard.oldestSeason(at: now),
                metBefore: Leaderboard.friendsSince(now), limit: Self.stepMax, epoch: epoch)
            guard isLeft else { return }
            await pause()
        }
    }

    private func pause() async {
        guard !isStopping else { return }
        await rest.sleep(
            until: dependencies.clock.now().adding(milliseconds: Self.pauseMilliseconds))
    }
}

extension StoredParty {
    /// Whether the party is on an adventure, or was within this time.
    fileprivate func hasAdventure(since time: WallTime) -> Bool {
        guard let adventure = party.adventure, adventure.isOver else { return party.isOnAdventure }
        return clock.wallTime(of: adventure.advancedTo) >= time
    }
}
