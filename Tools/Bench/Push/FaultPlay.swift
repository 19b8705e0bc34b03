internal import APNsClient
internal import APNsSimulator
internal import Foundation
internal import HTTP2Server
internal import Isolation
internal import PushLoad
internal import RangersServer

/// A simulator with one fault, and our client, which sends continuously, in this process.
final class FaultPlay: Sendable {
    private static let reason = "Shutdown"
    private static let goAwayMilliseconds = 200
    private static let warmUpSeconds = 0.5
    /// Three times the sum of a host's pause and the longest pause between connects.
    private static let healMax = 120.0
    private static let devices = PushFault.tokens.map { DeviceToken(hex: $0) }

    private let fault: PushFault
    private let simulator: APNsSimulator
    private let client: APNsClient
    private let tally = FaultTally()
    private let moment: Int64
    /// How far each clock is ahead of the machine's, in milliseconds.
    private let ahead: Locked<(client: Int64, apple: Int64)>

    init(_ fault: PushFault, folder: String) throws {
        self.fault = fault
        let ahead = Locked((client: Int64(0), apple: Int64(0)))
        self.ahead = ahead
        moment = Int64(Date().timeIntervalSince1970)
        let credentials = try SimulatorCredentials(directory: folder, now: moment)
        var settings = credentials.settings(bundleID: SamplePush.bundleID, schema: .adventure)
        settings.mode = fault.mode
        simulator = try APNsSimulator(
            settings, now: { Self.milliseconds + ahead.withLock { $0.apple } })
        let configuration = try Load.configuration(
            LoadSettings(
                port: simulator.port, credentials, pushes: 0, connections: fault.connections,
                streams: PushBench.Shape.streams, sample: .quiet, moment: moment))
        client = try APNsClient(
            configuration, now: { Self.milliseconds + ahead.withLock { $0.client } })
    }

    /// Sends for this many seconds each before, during and after the fault.
    func measure(seconds: Double) async throws -> FaultSample {
        var sample = FaultSample(fault)
        script(fault.decoys)
        // Connecting, and Apple's one stream until the first accepted push, are not measured.
        _ = try await phase(Self.warmUpSeconds)
        sample.before = try await phase(seconds)
        let signed = client.counts.tokensSigned
        begin()
        sample.during = try await phase(seconds)
        // The silence may outlast the fault.
        let (gap, lastAcceptance) = (tally[\.longestGap], tally[\.lastAcceptance])
        heal()
        let healed = Usage.now
        tally.begin(at: healed)
        try await send { tally[\.firstAcceptance] == nil && Usage.now - healed < Self.healMax }
        guard let first = tally[\.firstAcceptance] else {
            throw BenchError("no push was accepted \(Self.healMax) s after \(fault)")
        }
        sample.gapSeconds = max(gap, first - lastAcceptance)
        sample.after = try await phase(seconds)
        await tally.wait(until: 0)
        sample.tokensSigned = client.counts.tokensSigned - signed
        await client.shutdown(graceMilliseconds: 1_000)
        sample.count(tally[\.count], simulator.counters)
        await simulator.stop(graceMilliseconds: 0)
        return sample
    }

    private func phase(_ seconds: Double) async throws -> FaultSample.Phase {
        let start = Usage.now
        let responses = tally[\.count].responses
        tally.begin(at: start)
        try await send { Usage.now - start < seconds }
        let rate = Double(tally[\.count].responses - responses) / (Usage.now - start)
        return FaultSample.Phase(rate: rate, slowestPercent: tally.slowestPercent)
    }

    private func begin() {
        if !fault.script.isEmpty { script(fault.script) }
        switch fault {
        case .goAway:
            simulator.sendGoAway(everyMilliseconds: Self.goAwayMilliseconds, reason: Self.reason)
        case .goAwayInTurn:
            simulator.sendGoAway(
                everyMilliseconds: Self.goAwayMilliseconds, to: .oldestConnection,
                reason: Self.reason)
        case .expiredToken:
            // The clocks disagree: the client considers its token young enough, Apple does not.
            ahead.withLock { $0 = (client: 25 * 60_000, apple: 61 * 60_000) }
        case .tooMany, .deadConnections: break
        }
    }

    private func heal() {
        script(fault.decoys)
        switch fault {
        case .goAway, .goAwayInTurn:
            simulator.sendGoAway(everyMilliseconds: nil, reason: Self.reason)
        // Apple accepts the new token as we do, so the clocks stay.
        case .tooMany, .expiredToken, .deadConnections: break
        }
    }

    private func script(_ faults: [Fault]) {
        simulator.removeFaults()
        for fault in faults { simulator.add(fault) }
    }

    /// Sends until the condition no longer holds; pushes in flight remain.
    private func send(while isWanted: () -> Bool) async throws {
        while isWanted() {
            try Task.checkCancellation()
            await tally.wait(until: fault.inFlightMax - fault.batch)
            let before = tally[\.count]
            try sendBatch(after: before.submitted)
            // While pushes are held back at once, all that is left is to retry.
            if tally[\.count].notSent - before.notSent >= fault.batch {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    private func sendBatch(after first: Int) throws {
        let start = Usage.now
        let requests = try (first..<first + fault.batch).map { number in
            PushRequest.liveActivity(
                try SamplePush.quiet.encoded(at: moment),
                to: Self.devices[number % Self.devices.count], bundleID: SamplePush.bundleID,
                priority: .high, expiration: moment + SamplePush.lifetimeSeconds, id: .random())
        }
        tally.add(requests.count)
        client.send(requests) { [tally] _, outcome in tally.note(outcome, submittedAt: start) }
    }

    private static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
