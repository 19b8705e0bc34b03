import APNsClient
import HTTP2Server
import Isolation
import Simulation
import Testing

@testable import APNsSimulator

/// Twenty activities, one client that is restarted now and then, faults that come and go by the
/// dice, and 24 hours that take no time. What is counted is what the simulated APNs has seen.
private final class VirtualDay {
    let apple: VirtualAPNs
    private let configuration: APNsClient.Configuration
    private let storage: StoredTokens
    private var dice: FaultDice
    private var activities = [Activity](repeating: Activity(), count: 20)
    private var faultEnds = Scene.start
    /// How often a client began.
    private(set) var starts = 0

    /// One activity at its sender: the newest content, and when it may go.
    private struct Activity {
        var version = 1
        var phase = Phase.due(at: 0)

        enum Phase {
            case due(at: Int64)
            case done
        }
    }

    static let hours: Int64 = 24

    init(seed: UInt64) throws {
        let pem = try ES256PrivateKey.generate()
        let key = try ES256PrivateKey(pem)
        let settings = APNsSimulator.Settings(
            bundleID: Scene.bundleID, schema: Scene.schema,
            providerKeys: [try Scene.providerKey(of: key)],
            identity: ServerIdentity(certificatePEM: "", privateKeyPEM: ""))
        let apple = VirtualAPNs(
            settings, key: try ES256PublicKey(of: key), seed: seed, start: Scene.start)
        self.apple = apple
        storage = StoredTokens { apple.now }
        configuration = APNsClient.Configuration(
            host: "localhost", keyID: "SIMULATOR1", teamID: "RANGERTEAM", privateKeyPEM: pem)
        dice = FaultDice(seed: seed)
    }

    func play() async throws {
        var client = try await start()
        let end = Scene.start + Self.hours * 3_600_000
        while apple.now < end {
            apple.advance(by: 200 + Int64(dice.next() % 20_000))
            if apple.now >= faultEnds { changeFault() }
            if dice.roll() < 0.002 {
                await client.shutdown(graceMilliseconds: 0)
                client = try await start()
            }
            for index in activities.indices { step(index, client) }
        }
        await client.shutdown(graceMilliseconds: 0)
    }

    /// A client as after a restart: it knows the tokens of the last run.
    private func start() async throws -> APNsClient {
        starts += 1
        let apple = apple
        let client = try APNsClient(
            configuration,
            dependencies: APNsClient.Dependencies(
                wall: { apple.now }, steady: { apple.now }, dice: { 0.5 }, wait: { $1() }),
            transport: apple)
        await client.keepProviderTokens(in: storage)
        return client
    }

    // MARK: - One step

    /// A fault lasts up to half an hour; in one of three such times all is well.
    private func changeFault() {
        let faults: [APNsFault?] = [
            APNsFault(.refuse(.serviceUnavailable)),
            APNsFault(.refuse(.serviceUnavailable), for: .share(0.3)),
            APNsFault(.refuse(.internalServerError), for: .share(0.5)),
            APNsFault(.refuse(.expiredProviderToken)),
            APNsFault(.refuse(.invalidProviderToken), every: 3),
            APNsFault(.refuse(.tooManyProviderTokenUpdates), for: .share(0.2)),
            APNsFault(.refuse(.tooManyRequests), for: .share(0.3)),
            APNsFault(.answer(status: 421, body: []), for: .share(0.3)),
            APNsFault(.dropConnection(.accepted), for: .share(0.4)),
            APNsFault(.goAway(reason: "Shutdown")),
            APNsFault(.goAwayUnprocessed(reason: "Shutdown"), every: 2),
            APNsFault(.ignore(.untouched), for: .share(0.5)),
        ]
        let choice = Int(dice.next() % UInt64(faults.count * 3 / 2 + 2))
        let isUnreachable = choice == faults.count
        apple.play(
            faults.indices.contains(choice) ? faults[choice] : nil,
            isUnreachable ? .nobody : .open)
        faultEnds = apple.now + 60_000 + Int64(dice.next() % (30 * 60_000))
    }

    /// New content now and then, which may go at once; the same content when it may.
    private func step(_ index: Int, _ client: APNsClient) {
        if dice.roll() < 0.01 {
            activities[index].version += 1
            activities[index].phase = .due(at: 0)
        }
        guard case .due(let at) = activities[index].phase, at <= apple.now else { return }
        let id = PushID.derived(from: "\(index)/\(activities[index].version)")
        let token = String(repeating: index < 10 ? "0\(index)" : "\(index)", count: 32)
        let push = PushRequest.liveActivity(
            Array(Scene.body.utf8), to: DeviceToken(hex: token), bundleID: Scene.bundleID,
            priority: .high, id: id)
        let heard = Locked<APNsClient.Outcome?>(nil)
        client.send(push) { outcome in heard.withLock { $0 = outcome } }
        activities[index].phase = next(after: heard.withLock { $0 })
    }

    /// What a caller does that takes the library's advice. Nothing answers late here: an outcome
    /// is there when `send` returns.
    private func next(after outcome: APNsClient.Outcome?) -> Activity.Phase {
        switch outcome {
        case .accepted: .done
        case .refused(let refusal):
            refusal.action.suggestedDelayMilliseconds.map { .due(at: apple.now + $0) } ?? .done
        case .heldBack(_, let wait): .due(at: apple.now + wait)
        case .notSent, .unknown, nil: .due(at: apple.now + 1_000)
        }
    }
}

@Suite("PR8: manners, counted at the simulated APNs over 24 virtual hours", .timeLimit(.minutes(2)))
struct VirtualDayTests {
    @Test(
        "tokens, repetitions and connects keep Apple's rules all day",
        arguments: [1, 2, 3] as [UInt64])
    func manners(seed: UInt64) async throws {
        let day = try VirtualDay(seed: seed)
        try await day.play()
        let sights = day.apple.sights
        expectMixedDay(day, sights)
        expectTokenManners(sights)
        #expect(earlyRepetitions(sights) == 0)
        for connects in day.apple.connects {
            let pauses = zip(connects, connects.dropFirst()).map { $1 - $0 }
            #expect(!pauses.contains { $0 < 1_000 }, "at most one a second and slot")
        }
    }

    /// Otherwise nothing could have been violated.
    private func expectMixedDay(_ day: VirtualDay, _ sights: [VirtualAPNs.Sight]) {
        #expect(sights.count > 2_000)
        #expect(sights.count { ($0.status ?? 0) >= 500 } > 50)
        #expect(day.apple.counters.faults > 500)
        let connects = day.apple.connects
        #expect(!connects.isEmpty && connects.allSatisfy { $0.count > 20 })
        #expect(day.starts > 3)
    }

    /// At most one new token in 20 minutes, restarts included, and none in use above an hour.
    private func expectTokenManners(_ sights: [VirtualAPNs.Sight]) {
        let issued = Set(sights.compactMap(\.tokenIssuedAt)).sorted()
        #expect(issued.count >= 20)
        let spaces = zip(issued, issued.dropFirst()).map { $1 - $0 }
        #expect(!spaces.contains { $0 < 20 * 60 })
        #expect(overage(sights) == 0)
    }

    /// How often a token came that was older than an hour, or of the future.
    private func overage(_ sights: [VirtualAPNs.Sight]) -> Int {
        sights.count { sight in
            let age = sight.at / 1_000 - (sight.tokenIssuedAt ?? 0)
            return age < 0 || age > 3_600
        }
    }

    /// How often a content that was answered with a 5xx came again within 15 minutes.
    private func earlyRepetitions(_ sights: [VirtualAPNs.Sight]) -> Int {
        var failedAt: [String: Int64] = [:]
        return sights.count { sight in
            let isEarly = failedAt[sight.id].map { sight.at - $0 < 15 * 60_000 } ?? false
            if let status = sight.status, status >= 500 { failedAt[sight.id] = sight.at }
            return isEarly
        }
    }
}
