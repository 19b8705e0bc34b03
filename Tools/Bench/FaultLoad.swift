internal import APNsClient
internal import PushLoad

/// A client that sends continuously while APNs changes.
struct FaultLoad: Sendable {
    /// The number of pushes in flight.
    enum Pressure: Sendable {
        /// More than there are streams, to measure throughput.
        case full
        /// Few enough that none waits, to measure latency.
        case light

        var inFlightMax: Int {
            switch self {
            case .full:
                PushBench.Shape.connections * PushBench.Shape.streams + LoadSettings.ahead
            case .light: 200
            }
        }

        /// The pushes submitted together.
        var batch: Int {
            switch self {
            case .full: LoadSettings.batch
            case .light: 20
            }
        }
    }

    let client: APNsClient
    let tally: FaultTally
    let pressure: Pressure
    /// The content's time, in seconds since 1970.
    let moment: Int64

    /// A thousand devices; one in a hundred exceeds its limit.
    private static let tokens = (0..<1_000).map { number in
        let digits = String(number, radix: 16)
        return String(repeating: "a", count: 64 - digits.count) + digits
    }
    private static let devices = tokens.map { DeviceToken(hex: $0) }

    /// The devices for which APNs returns a 429.
    static let greedyTokens = tokens.indices.filter { $0 % 100 == 7 }.map { tokens[$0] }

    /// Sends until the condition no longer holds; pushes in flight remain.
    ///
    /// - Throws: When the bench is interrupted.
    func send(while isWanted: () -> Bool) async throws {
        while isWanted() {
            try Task.checkCancellation()
            await tally.wait(until: pressure.inFlightMax - pressure.batch)
            let before = tally.count
            try sendBatch()
            // While pushes are held back at once, all that is left is to retry.
            if tally.count.notSent - before.notSent >= pressure.batch {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// Waits for all pushes in flight, limited by the client's timeouts.
    func finish() async { await tally.wait(until: 0) }

    private func sendBatch() throws {
        let start = Usage.now
        let first = tally.count.submitted
        var requests: [PushRequest] = []
        requests.reserveCapacity(pressure.batch)
        for number in first..<first + pressure.batch {
            requests.append(
                .liveActivity(
                    try SamplePush.quiet.encoded(at: moment),
                    to: Self.devices[number % Self.devices.count], bundleID: SamplePush.bundleID,
                    priority: .high, expiration: moment + SamplePush.lifetimeSeconds,
                    id: .random()))
        }
        tally.add(requests.count)
        client.send(requests) { [tally] _, outcome in tally.note(outcome, submittedAt: start) }
    }
}
