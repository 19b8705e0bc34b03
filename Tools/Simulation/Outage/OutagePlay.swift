internal import APNsClient
internal import Bench
internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy
internal import RangersServer

/// One outage on a simulation's thread: the server's own shards, writer and APNs client, with
/// parties whose stories continue at their own speed while APNs accepts nothing.
package struct OutagePlay {
    package struct Settings: Hashable, Sendable {
        package var seed: UInt64 = 1
        /// Parties with four Live Activities each.
        package var parties: Int
        package var seconds: Int64
        package var kind: OutageKind
        /// The SQLite file, which must not exist.
        package var data: String

        package init(parties: Int, seconds: Int64, kind: OutageKind, data: String) {
            self.parties = parties
            self.seconds = seconds
            self.kind = kind
            self.data = data
        }
    }

    private struct Heart: Sendable {
        let store: SQLiteStore
        let shards: StandaloneShards
        let apple: OutageApple
        let sender: OutageSender
    }

    /// Each story has had its first steps by then.
    private static let secondsBefore: Int64 = 70
    /// What is left of the outage when its costs are measured: it has shown by then.
    private static let secondsOfBeginning: Int64 = 60
    /// The parties of one read.
    private static let partiesRead = 500
    /// When all must be current again.
    private static let recoveryMax: Int64 = 60

    private let settings: Settings
    private let scheduler: Scheduler
    private let life: LifeID

    /// Plays an outage, and removes nothing. Takes minutes for many parties.
    package static func measure(_ settings: Settings) throws -> OutageFigures {
        try Scheduler.install()
        return try Scheduler.perform(seed: settings.seed) { scheduler in
            Result {
                try OutagePlay(
                    settings: settings, scheduler: scheduler, life: scheduler.newLife()
                ).play()
            }
        }.get()
    }

    private func play() throws -> OutageFigures {
        let settings = settings
        let heart = try outcome { try await Self.heart(settings, $0) }
        pass(seconds: Self.secondsBefore)
        let before = try HeartUsage.residentBytes()
        heart.apple.be(settings.kind)
        pass(seconds: min(Self.secondsOfBeginning, settings.seconds))
        let (tries, held) = (heart.apple.tries.count, heart.sender.heldBack)
        let rest = settings.seconds - Self.secondsOfBeginning
        pass(seconds: rest)
        let after = try HeartUsage.residentBytes()
        let times = heart.apple.tries[tries...]
        var figures = OutageFigures(
            kind: settings.kind, activities: settings.parties * HeartParties.heroes)
        figures.triesPerMinute = Double(times.count) / (Double(rest) / 60)
        figures.shortestDistance = zip(times, times.dropFirst()).map { $1 - $0 }.min() ?? 0
        figures.longestDistance = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
        figures.heldBack = heart.sender.heldBack - held
        figures.memoryGrowth = Double(after) / Double(max(1, before)) - 1
        try recover(&figures, heart)
        try outcome { _ in
            await heart.shards.stop()
            await heart.store.close()
        }
        return figures
    }

    private func recover(_ figures: inout OutageFigures, _ heart: Heart) throws {
        let owed = try outcome { _ in try await Self.owedTokens(in: heart.store) }
        let (end, pushes) = (scheduler.now, heart.sender.acceptances)
        heart.apple.be(nil)
        let latest = end + Self.recoveryMax * 1000
        while heart.sender.current(owed, since: end) < owed.count, scheduler.now < latest {
            pass(seconds: 1)
        }
        figures.owed = owed.count
        figures.current = heart.sender.current(owed, since: end)
        figures.secondsToCurrent = (scheduler.now - end) / 1000
        figures.pushesPerActivity =
            Double(heart.sender.acceptances - pushes) / Double(figures.activities)
    }

    private func pass(seconds: Int64) { scheduler.run(until: scheduler.now + seconds * 1000) }

    /// Runs a task of the server, and all else, until it ends.
    private func outcome<Value: Sendable>(
        _ body: @escaping @Sendable (Scheduler) async throws -> Value
    ) throws -> Value {
        let result = Locked<Result<Value, any Error>?>(nil)
        let scheduler = scheduler
        scheduler.spawn(as: life) {
            do {
                let value = try await body(scheduler)
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        scheduler.run { result.withLock { $0 != nil } }
        guard let result = result.withLock({ $0 }) else { throw OutageStall() }
        return try result.get()
    }

    // MARK: The server

    private static func heart(_ settings: Settings, _ scheduler: Scheduler) async throws -> Heart {
        let store = try await SQLiteStore.open(
            path: settings.data,
            sleep: { duration in
                await scheduler.wait(until: scheduler.now + Int64(duration / .milliseconds(1)))
                try Task.checkCancellation()
            })
        let epoch = try await store.takeOwnership()
        try await HeartParties(
            count: settings.parties, now: WallTime(milliseconds: scheduler.now), past: .unknown
        ).write(to: store, epoch: epoch)
        let configuration = APNsClient.Configuration(
            host: "localhost", keyID: "SIMULATOR1", teamID: "RANGERTEAM",
            privateKeyPEM: try ES256PrivateKey.generate())
        let apple = OutageApple(
            scheduler, queueWaitMilliseconds: configuration.queueWaitMilliseconds)
        let client = try APNsClient(
            configuration,
            dependencies: APNsClient.Dependencies(
                wall: { scheduler.now }, steady: { scheduler.now },
                dice: { RandomSource.fraction() },
                wait: { milliseconds, body in scheduler.after(Int64(milliseconds), body) }),
            transport: apple)
        let sender = OutageSender(client, scheduler)
        let shards = try StandaloneShards(
            store: store, epoch: epoch, clock: MachineClock(scheduler).ofServer(), sender: sender)
        return Heart(store: store, shards: shards, apple: apple, sender: sender)
    }

    /// Returns the tokens of the activities that do not show their party's last state, as the file
    /// has it.
    private static func owedTokens(in store: SQLiteStore) async throws -> [String] {
        var tokens: [String] = []
        var last: PartyID?
        while true {
            let parties = try await store.parties(after: last, limit: partiesRead)
            guard let newest = parties.last else { return tokens }
            last = newest.party.id
            for activity in parties.flatMap(\.activities)
            where activity.outbox?.isDue == true {
                if let token = activity.registration.pushToken { tokens.append(token.hex) }
            }
        }
    }
}

/// A server that waits for ever.
struct OutageStall: Error, CustomStringConvertible {
    let description = "nothing is left to do, and the server has not ended what it began"
}
