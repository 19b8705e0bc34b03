internal import APNsClient
internal import Foundation
internal import GameLogic
internal import PartyStore
internal import Playtest
internal import PushLoad
internal import PushPolicy
internal import RangersServer

/// One outage in virtual time: the server's own shards, writer and APNs client, with parties whose
/// stories continue at their own speed while APNs accepts nothing.
package struct OutageRun: Sendable {
    /// What APNs does instead.
    package enum Kind: String, CaseIterable, Sendable {
        case unreachable, forbidden, tooManyRequests, unavailable

        var conduct: OutageHost.Conduct {
            switch self {
            case .unreachable: .unreachable
            case .forbidden: .refuses(status: 403, reason: "Forbidden")
            case .tooManyRequests: .refuses(status: 429, reason: "TooManyRequests")
            case .unavailable: .refuses(status: 503, reason: "ServiceUnavailable")
            }
        }
    }

    package struct Settings: Hashable, Sendable {
        /// Parties with four Live Activities each.
        package var parties: Int
        package var seconds: Int64
        package var kind: Kind
        /// The SQLite file, which must not exist.
        package var data: String
    }

    /// The milliseconds of a step: while the outage lasts, and when it is over.
    private enum Step {
        static let outage: Int64 = 1_000
        static let recovery: Int64 = 20
    }

    private static let start = WallTime(milliseconds: 1_685_952_000_000)
    /// Each story has had its first steps by then.
    private static let secondsBefore: Int64 = 70
    /// What is left of the outage when its costs are measured: it has shown by then.
    private static let secondsOfBeginning: Int64 = 60
    /// The parties of one read.
    private static let partiesRead = 500
    /// When all must be current again.
    private static let recoveryMax: Int64 = 60

    private let settings: Settings
    private let store: SQLiteStore
    private let heart: StandaloneShards
    private let host: OutageHost
    private let sender: OutageSender
    private let clock: VirtualClock

    /// Plays an outage, and removes nothing. Takes minutes for many parties.
    package static func measure(_ settings: Settings) async throws -> OutageSample {
        let run = try await make(settings)
        let sample = try await run.play()
        await run.heart.stop()
        await run.store.close()
        return sample
    }

    private static func make(_ settings: Settings) async throws -> OutageRun {
        let store = try await SQLiteStore.open(path: settings.data)
        let epoch = try await store.takeOwnership()
        try await HeartParties(count: settings.parties, now: start, past: .unknown)
            .write(to: store, epoch: epoch)
        let clock = VirtualClock(now: start)
        let configuration = APNsClient.Configuration(
            host: "localhost", keyID: "SIMULATOR1", teamID: "RANGERTEAM",
            privateKeyPEM: try ES256PrivateKey.generate())
        let host = OutageHost(
            clock: clock, queueWaitMilliseconds: configuration.queueWaitMilliseconds)
        let client = try APNsClient(
            configuration,
            dependencies: APNsClient.Dependencies(
                wall: { clock.now.milliseconds }, steady: { clock.now.milliseconds },
                dice: { .random(in: 0..<1) }, wait: { $1() }),
            transport: host)
        let sender = OutageSender(client, clock: clock)
        let heart = try StandaloneShards(
            store: store, epoch: epoch, clock: clock.serverClock, sender: sender)
        return OutageRun(
            settings: settings, store: store, heart: heart, host: host, sender: sender,
            clock: clock)
    }

    private func play() async throws -> OutageSample {
        let activities = settings.parties * HeartParties.heroes
        await pass(seconds: Self.secondsBefore, in: Step.outage)
        let before = try HeartUsage.residentBytes()
        host.be(settings.kind.conduct)
        await pass(seconds: min(Self.secondsOfBeginning, settings.seconds), in: Step.outage)
        let (tries, held, began) = (host.tries.count, sender.heldBack, clock.now)
        await pass(seconds: settings.seconds - Self.secondsOfBeginning, in: Step.outage)
        let after = try HeartUsage.residentBytes()
        let times = host.tries[tries...]
        var sample = OutageSample(
            kind: settings.kind, activities: activities, seconds: settings.seconds)
        sample.triesPerMinute =
            Double(times.count) / (Double(clock.now.seconds - began.seconds) / 60)
        sample.shortestDistance = zip(times, times.dropFirst()).map { $1 - $0 }.min() ?? 0
        sample.longestDistance = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
        sample.heldBack = sender.heldBack - held
        sample.memoryGrowth = Double(after) / Double(max(1, before)) - 1
        try await recover(&sample, activities)
        return sample
    }

    private func recover(_ sample: inout OutageSample, _ activities: Int) async throws {
        let owed = try await owedTokens()
        let (end, pushes) = (clock.now, sender.acceptances)
        host.be(.accepts)
        let latest = end.adding(seconds: Self.recoveryMax)
        while sender.current(owed, since: end) < owed.count, clock.now < latest {
            await pass(seconds: 1, in: Step.recovery)
        }
        sample.owed = owed.count
        sample.current = sender.current(owed, since: end)
        sample.secondsToCurrent = clock.now.seconds - end.seconds
        sample.pushesPerActivity = Double(sender.acceptances - pushes) / Double(activities)
    }

    /// Returns the tokens of the activities that do not show their party's last state, as the file
    /// has it.
    private func owedTokens() async throws -> [String] {
        var tokens: [String] = []
        var last: PartyID?
        while true {
            let parties = try await store.parties(after: last, limit: Self.partiesRead)
            guard let newest = parties.last else { return tokens }
            last = newest.party.id
            for activity in parties.flatMap(\.activities)
            where activity.outbox?.isDue == true {
                if let token = activity.registration.pushToken { tokens.append(token.hex) }
            }
        }
    }

    /// Lets this time pass: answers arrive, and what is due happens.
    private func pass(seconds: Int64, in step: Int64) async {
        let end = clock.now.adding(seconds: seconds)
        while clock.now < end {
            await clock.untilAsleep(1)
            let soon = clock.now.adding(milliseconds: step)
            let answer = host.nextAt.map { WallTime(milliseconds: $0) } ?? soon
            clock.advance(to: min(end, min(soon, max(answer, clock.now.adding(milliseconds: 1)))))
            host.deliver()
            await clock.untilAsleep(1)
        }
    }
}

/// What an outage cost, and what followed it.
package struct OutageSample: Hashable, Sendable {
    package let kind: OutageRun.Kind
    package let activities: Int
    package let seconds: Int64
    /// Requests that came to the host during the outage, after its first minute.
    package var triesPerMinute = 0.0
    /// Milliseconds between two of them.
    package var shortestDistance: Int64 = 0
    package var longestDistance: Int64 = 0
    /// Pushes that were committed and held back, after the first minute.
    package var heldBack = 0
    /// Resident memory at the end of the outage, in shares of that at its beginning.
    package var memoryGrowth = 0.0
    /// Activities that did not show their party's last state at the end of the outage.
    package var owed = 0
    /// Those of them with an accepted push after it.
    package var current = 0
    /// Seconds until that were all; 60 if they were not.
    package var secondsToCurrent: Int64 = 0
    /// Pushes that were accepted in that time.
    package var pushesPerActivity = 0.0
}
