/// The settings of one run of our client.
package struct LoadSettings: Hashable, Sendable {
    /// The server's port on 127.0.0.1.
    package var port: UInt16
    /// The trusted roots, in PEM.
    package var caFile: String
    package var keyFile: String
    package var keyID: String
    package var teamID: String
    package var pushes: Int
    package var connections: Int
    /// The server's limit for a connection.
    package var streams: Int
    package var sample: SamplePush
    /// The content's time, in seconds since 1970: all bodies have the same bytes.
    package var moment: Int64

    /// The pushes submitted together.
    package static let batch = 500
    /// The pushes that wait for a stream, so that no stream waits for a push.
    package static let ahead = 2_000

    /// The limit of pushes in flight.
    var inFlightMax: Int { connections * streams + Self.ahead }

    package init(
        port: UInt16, caFile: String, keyFile: String, keyID: String, teamID: String, pushes: Int,
        connections: Int, streams: Int, sample: SamplePush, moment: Int64
    ) {
        self.port = port
        self.caFile = caFile
        self.keyFile = keyFile
        self.keyID = keyID
        self.teamID = teamID
        self.pushes = pushes
        self.connections = connections
        self.streams = streams
        self.sample = sample
        self.moment = moment
    }

    /// Reads the output of `arguments`.
    init(_ values: NamedValues) throws(BenchError) {
        port = try values.integer("port", in: 1...UInt16.max)
        caFile = try values.text("ca-file")
        keyFile = try values.text("key-file")
        keyID = try values.text("key-id")
        teamID = try values.text("team-id")
        pushes = try values.integer("pushes", in: 1...100_000_000)
        connections = try values.integer("connections", in: 1...256)
        streams = try values.integer("streams", in: 1...1_000_000)
        sample = try SamplePush(values)
        moment = try values.value("timestamp")
    }

    /// The arguments for `push-load`.
    package var arguments: [String] {
        [
            "send", "port=\(port)", "ca-file=\(caFile)", "key-file=\(keyFile)", "key-id=\(keyID)",
            "team-id=\(teamID)", "pushes=\(pushes)", "connections=\(connections)",
            "streams=\(streams)", "payload=\(sample.rawValue)", "timestamp=\(moment)",
        ]
    }
}
