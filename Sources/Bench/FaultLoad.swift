internal import APNsClient
internal import PushLoad

/// One client that sends without a pause while Apple's side changes.
struct FaultLoad: Sendable {
    /// How many pushes are on their way.
    enum Pressure: Sendable {
        /// As many as there are streams, and some more: what counts is throughput.
        case full
        /// So few that nobody queues: what counts is how long each takes.
        case light

        var inFlightMax: Int {
            switch self {
            case .full:
                PushBench.Shape.connections * PushBench.Shape.streams + LoadSettings.ahead
            case .light: 200
            }
        }

        /// Pushes that are handed over together.
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
    /// Of the content, in seconds since 1970.
    let moment: Int64

    /// A thousand devices; one in a hundred is greedy.
    private static let tokens = (0..<1_000).map { number in
        let digits = String(number, radix: 16)
        return String(repeating: "a", count: 64 - digits.count) + digits
    }
    private static let devices = tokens.map { DeviceToken(hex: $0) }

    /// Devices that APNs finds too much for.
    static let greedyTokens = tokens.indices.filter { $0 % 100 == 7 }.map { tokens[$0] }

    /// Sends until the condition no longer holds; what is on its way stays so.
    ///
    /// - Throws: When the bench is interrupted.
    func send(while isWanted: () -> Bool) async throws {
        while isWanted() {
            try Task.checkCancellation()
            await tally.wait(until: pressure.inFlightMax - pressure.batch)
            let before = tally.count
            try sendBatch()
            // Where pushes are held back at once, there is nothing to do but to ask again.
            if tally.count.notSent - before.notSent >= pressure.batch {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// Waits for everything that is on its way; the client's timeouts bound it.
    func finish() async { await tally.wait(until: 0) }

    private func sendBatch() throws {
        let start = Usage.now
        let first = tally.count.handedIn
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
        client.send(requests) { [tally] _, outcome in tally.note(outcome, handedInAt: start) }
    }
}
