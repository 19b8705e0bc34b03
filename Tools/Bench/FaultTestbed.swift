internal import HTTP2Server
internal import APNsClient
internal import APNsSimulator
internal import Foundation
internal import Isolation
internal import PushLoad
internal import RangersServer

/// A simulator with one fault, and our client, in this process.
final class FaultTestbed: Sendable {
    private let simulator: APNsSimulator
    private let client: APNsClient
    private let load: FaultLoad
    private let fault: BenchFault
    /// How far each clock is ahead of the machine's, in milliseconds.
    private let ahead: Locked<(client: Int64, apple: Int64)>

    private var tally: FaultTally { load.tally }

    init(_ fault: BenchFault, folder: String) throws {
        self.fault = fault
        let ahead = Locked((client: Int64(0), apple: Int64(0)))
        self.ahead = ahead
        let moment = Int64(Date().timeIntervalSince1970)
        let credentials = try SimulatorCredentials(directory: folder, now: moment)
        var settings = credentials.settings(bundleID: SamplePush.bundleID, schema: .adventure)
        settings.mode = fault.mode
        simulator = try APNsSimulator(
            settings, now: { Self.milliseconds + ahead.withLock { $0.apple } })
        let configuration = try Load.configuration(
            LoadSettings(
                port: simulator.port, credentials, pushes: 0,
                connections: fault.connections, streams: PushBench.Shape.streams,
                sample: .quiet, moment: moment))
        client = try APNsClient(
            configuration, now: { Self.milliseconds + ahead.withLock { $0.client } })
        load = FaultLoad(
            client: client, tally: FaultTally(), pressure: fault.pressure, moment: moment)
    }

    /// Sends for this many seconds each before, during and after the fault, with one client.
    func play(seconds: Double) async throws -> FaultSample {
        var sample = FaultSample(fault)
        script(fault.decoys)
        // Connecting, and Apple's one stream until the first accepted push, are not measured.
        _ = try await phase(Self.warmUpSeconds)
        sample.before = try await phase(seconds)
        let signed = client.counts.tokensSigned
        try begin()
        sample.during = try await phase(seconds)
        // The silence may outlast the fault.
        let (gap, lastAcceptance) = (tally.longestGap, tally.lastAcceptance)
        heal()
        let healed = Usage.now
        tally.begin(at: healed)
        try await load.send { tally.firstAcceptance == nil && Usage.now - healed < Self.healMax }
        guard let first = tally.firstAcceptance else {
            throw BenchError("no push was accepted \(Self.healMax) s after: \(fault.title)")
        }
        sample.healSeconds = first - healed
        sample.gapSeconds = max(gap, first - lastAcceptance)
        sample.after = try await phase(seconds)
        await load.finish()
        sample.tokensSigned = client.counts.tokensSigned - signed
        await client.shutdown(graceMilliseconds: 1_000)
        sample.count(tally.count, simulator.counters)
        await simulator.stop(graceMilliseconds: 0)
        return sample
    }

    private func phase(_ seconds: Double) async throws -> FaultSample.Phase {
        let start = Usage.now
        let responses = tally.count.responses
        tally.begin(at: start)
        try await load.send { Usage.now - start < seconds }
        let rate = Double(tally.count.responses - responses) / (Usage.now - start)
        return FaultSample.Phase(rate: rate, slowestPercent: tally.slowestPercent)
    }

    private func begin() throws {
        if !fault.script.isEmpty { script(fault.script) }
        switch fault {
        case .goAway, .goAwayFew:
            simulator.sendGoAway(
                everyMilliseconds: BenchFault.goAwayMilliseconds, reason: BenchFault.reason)
        case .goAwayInTurn:
            simulator.sendGoAway(
                everyMilliseconds: BenchFault.goAwayMilliseconds, to: .oldestConnection,
                reason: BenchFault.reason)
        case .streams: simulator.setStreamsMax(1)
        case .expiredToken:
            ahead.withLock {
                $0 = (BenchFault.clientAheadMilliseconds, BenchFault.appleAheadMilliseconds)
            }
        case .goAwayBehind, .goAwayTwice, .unavailable, .tooMany, .deadConnections, .outage: break
        }
    }

    private func heal() {
        script(fault.decoys)
        switch fault {
        case .goAway, .goAwayFew, .goAwayInTurn:
            simulator.sendGoAway(everyMilliseconds: nil, reason: BenchFault.reason)
        case .streams: simulator.setStreamsMax(UInt32(PushBench.Shape.streams))
        // Apple accepts the new token as we do, so the clocks stay.
        case .expiredToken: break
        case .goAwayBehind, .goAwayTwice, .unavailable, .tooMany, .deadConnections, .outage: break
        }
    }

    private func script(_ faults: [Fault]) {
        simulator.removeFaults()
        for fault in faults { simulator.add(fault) }
    }

    private static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
    private static let warmUpSeconds = 0.5
    /// Three times the sum of a host's pause and the longest pause between connects.
    private static let healMax = 120.0
}
