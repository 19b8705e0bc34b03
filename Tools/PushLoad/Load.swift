package import APNsClient

/// The bench's client: the whole path from a typed value to a counted outcome.
package enum Load {
    /// Sends the pushes of one run. Measures from the client's creation to the last outcome, so
    /// connecting counts, as for h2load.
    package static func run(_ settings: LoadSettings) async throws -> LoadResult {
        let configuration = try configuration(settings)
        let counter = OutcomeCounter()
        let startMegabytes = try peakMegabytes()
        let began = (cpu: Usage.cpuSeconds, time: Usage.now)
        let client = try APNsClient(configuration)
        try await send(settings, with: client, counter)
        let seconds = Usage.now - began.time
        let cpuSeconds = Usage.cpuSeconds - began.cpu
        await client.shutdown(graceMilliseconds: 1_000)
        try counter.requireAllAccepted()
        return LoadResult(
            pushes: settings.pushes, seconds: seconds, cpuSeconds: cpuSeconds,
            startMegabytes: startMegabytes, peakMegabytes: try peakMegabytes())
    }

    private static func peakMegabytes() throws(BenchError) -> Double {
        guard let peak = Usage.peakMegabytes else {
            throw BenchError("/proc/self/status has no VmHWM: check that /proc is mounted")
        }
        return peak
    }

    /// Keeps as many pushes in flight as there are streams, and some more waiting.
    private static func send(
        _ settings: LoadSettings, with client: APNsClient, _ counter: OutcomeCounter
    ) async throws(PayloadError) {
        let token = DeviceToken(hex: SamplePush.token)
        let (sample, moment) = (settings.sample, settings.moment)
        var left = settings.pushes
        while left > 0 {
            let count = min(left, LoadSettings.batch)
            await counter.wait(until: settings.inFlightMax - count)
            var requests: [PushRequest] = []
            requests.reserveCapacity(count)
            for _ in 0..<count {
                requests.append(
                    .liveActivity(
                        try sample.encoded(at: moment), to: token, bundleID: SamplePush.bundleID,
                        priority: .high, expiration: moment + SamplePush.lifetimeSeconds,
                        id: .random()))
            }
            counter.add(count)
            client.send(requests) { _, outcome in counter.note(outcome) }
            left -= count
        }
        await counter.wait(until: 0)
    }

    /// Returns our client's configuration, with room for all pushes in flight.
    package static func configuration(
        _ settings: LoadSettings
    ) throws(APNsConfigurationError) -> APNsClient.Configuration {
        var configuration = APNsClient.Configuration(
            host: "127.0.0.1", keyID: settings.keyID, teamID: settings.teamID,
            privateKeyPEM: try PrivateKeyPEM(file: settings.keyFile))
        configuration.port = settings.port
        configuration.trustedCAFile = settings.caFile
        configuration.connections = settings.connections
        // Until the first connection is open, all of them wait.
        configuration.queueMax = settings.inFlightMax
        return configuration
    }
}
