internal import APNsClient
internal import APNsSimulator
internal import Foundation
internal import PushLoad
internal import RangersServer

/// What APNs does to a client (rule PR7).
enum PushFault: CaseIterable, Sendable {
    /// GOAWAY on every connection five times a second; requests in flight get their responses.
    case goAways
    /// Every connection falls silent, while TCP stays open.
    case silence

    /// The number of the client's connections.
    var connections: Int { PushBench.Shape.connections * (self == .goAways ? 2 : 1) }
}

/// One client's results for one fault.
struct FaultSample: Sendable {
    let fault: PushFault
    /// Responses per second, before and during the fault.
    var rates = (before: 0.0, during: 0.0)
    /// The longest time without an accepted push since the fault began.
    var gapSeconds = 0.0
    var count = FaultTally.Count()
    /// Pushes without an outcome, or with one that contradicts APNs' count.
    var lost = 0
    /// Pushes that APNs has accepted twice.
    var doubled = 0

    func add(to findings: inout Findings) {
        switch fault {
        case .goAways:
            findings.add(
                "goaway_ratio", rates.during / rates.before,
                "GOAWAY on each of 8 connections every 200 ms: throughput ÷ undisturbed",
                .atLeast(0.7))
            findings.add("undisturbed_per_s", rates.before, "pushes before the first GOAWAY")
        case .silence:
            findings.add(
                "dead_connections_s", gapSeconds,
                "every connection silent: until the next push is accepted", .atMost(15))
        }
    }
}

/// A simulator with one fault, and our client, which sends continuously, in this process.
final class FaultPlay: Sendable {
    private static let reason = "Shutdown"
    private static let goAwayMilliseconds = 200
    private static let warmUpSeconds = 0.5
    /// Three times the sum of a host's pause and the longest pause between connects.
    private static let healSecondsMax = 120.0
    /// More pushes in flight than there are streams.
    private static let inFlightMax =
        PushBench.Shape.connections * PushBench.Shape.streams + LoadSettings.ahead

    private let fault: PushFault
    private let simulator: APNsSimulator
    private let client: APNsClient
    private let tally = FaultTally()
    private let moment = FaultPlay.milliseconds / 1_000

    init(_ fault: PushFault, folder: String) throws {
        self.fault = fault
        let credentials = try SimulatorCredentials(directory: folder, now: moment)
        var settings = credentials.settings(bundleID: SamplePush.bundleID, schema: .adventure)
        settings.mode = .trusting
        simulator = try APNsSimulator(settings, now: { Self.milliseconds })
        let configuration = try Load.configuration(
            LoadSettings(
                port: simulator.port, credentials, pushes: 0, connections: fault.connections,
                streams: PushBench.Shape.streams, sample: .quiet, moment: moment))
        client = try APNsClient(configuration, now: { Self.milliseconds })
    }

    /// Sends for this many seconds each before and during the fault, and until a push is accepted
    /// after it.
    func measure(seconds: Double) async throws -> FaultSample {
        var sample = FaultSample(fault: fault)
        // Connecting, and Apple's one stream until the first accepted push, are not measured.
        _ = try await rate(for: Self.warmUpSeconds)
        sample.rates.before = try await rate(for: seconds)
        switch fault {
        case .goAways:
            simulator.sendGoAway(everyMilliseconds: Self.goAwayMilliseconds, reason: Self.reason)
        case .silence: simulator.add(Fault(.silence(.untouched), times: fault.connections))
        }
        sample.rates.during = try await rate(for: seconds)
        if fault == .goAways { simulator.sendGoAway(everyMilliseconds: nil, reason: Self.reason) }
        // The silence may outlast the fault.
        let (healed, disturbed) = (Usage.now, tally.now)
        tally.begin(at: disturbed.lastAcceptance)
        try await send { !tally.now.isAccepting && Usage.now - healed < Self.healSecondsMax }
        guard tally.now.isAccepting else {
            throw BenchError("no push was accepted \(Self.healSecondsMax) s after \(fault)")
        }
        sample.gapSeconds = max(disturbed.longestGap, tally.now.longestGap)
        await tally.wait(until: 0)
        await client.shutdown(graceMilliseconds: 1_000)
        let apple = simulator.counters
        await simulator.stop(graceMilliseconds: 0)
        (sample.count, sample.doubled) = (tally.now.count, apple.doubledIDs)
        sample.lost = sample.count.lost(known: apple.accepted - apple.doubledIDs)
        return sample
    }

    /// Sends for so long; returns the responses per second.
    private func rate(for seconds: Double) async throws -> Double {
        let start = Usage.now
        let before = tally.begin(at: start).count.responses
        try await send { Usage.now - start < seconds }
        return Double(tally.now.count.responses - before) / (Usage.now - start)
    }

    /// Sends until the condition no longer holds; pushes in flight remain.
    private func send(while isWanted: () -> Bool) async throws {
        while isWanted() {
            try Task.checkCancellation()
            await tally.wait(until: Self.inFlightMax - LoadSettings.batch)
            let before = tally.now.count
            let requests = try (0..<LoadSettings.batch).map { _ in
                PushRequest.liveActivity(
                    try SamplePush.quiet.encoded(at: moment),
                    to: DeviceToken(hex: SamplePush.token), bundleID: SamplePush.bundleID,
                    priority: .high, expiration: moment + SamplePush.lifetimeSeconds,
                    id: .random())
            }
            tally.add(requests.count)
            client.send(requests) { [tally] _, outcome in tally.note(outcome, at: Usage.now) }
            // While pushes are held back at once, all that is left is to retry.
            if tally.now.count.notSent - before.notSent >= LoadSettings.batch {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    private static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
