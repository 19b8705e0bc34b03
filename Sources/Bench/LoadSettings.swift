/// What one run of our client does.
package struct LoadSettings: Hashable, Sendable {
    /// Of the server on 127.0.0.1.
    package var port: UInt16
    /// Holds `ca.pem` and the provider key, as the simulator makes them.
    package var folder: String
    package var pushes: Int
    package var connections: Int
    /// What the server allows on a connection.
    package var streams: Int
    package var sample: SamplePush
    /// Of the content, in seconds since 1970: all bodies have the same bytes.
    package var moment: Int64

    /// Pushes that are handed over together.
    static let batch = 500
    /// Pushes beyond the streams that wait for one, so that no stream waits for a push.
    static let ahead = 2_000

    /// Pushes that may be on their way.
    var inFlightMax: Int { connections * streams + Self.ahead }

    package init(
        port: UInt16, folder: String, pushes: Int, connections: Int, streams: Int,
        sample: SamplePush, moment: Int64
    ) {
        self.port = port
        self.folder = folder
        self.pushes = pushes
        self.connections = connections
        self.streams = streams
        self.sample = sample
        self.moment = moment
    }

    /// As the arguments of `rangers bench load`.
    var arguments: [String] {
        [
            "bench", "load", "--port", String(port), "--data", folder, "--pushes", String(pushes),
            "--connections", String(connections), "--streams", String(streams), "--payload",
            sample.rawValue, "--timestamp", String(moment),
        ]
    }
}
