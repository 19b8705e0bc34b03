internal import PushLoad

/// Debian's h2load with the same work as ours: its command line and its output.
enum H2Load {
    /// One run's connections and requests.
    struct Settings {
        let port: UInt16
        let requests: Int
        let connections: Int
        let streams: Int
        let bodyFile: String
        /// As "name: value".
        let headers: [String]
    }

    /// Returns the arguments: one thread, because it has one core. h2load cannot verify the server.
    static func arguments(_ settings: Settings) -> [String] {
        [
            "--threads=1", "--requests=\(settings.requests)", "--clients=\(settings.connections)",
            "--max-concurrent-streams=\(settings.streams)", "--data=\(settings.bodyFile)",
        ] + settings.headers.flatMap { ["--header", $0] } + [
            "https://127.0.0.1:\(settings.port)/3/device/\(SamplePush.token)"
        ]
    }

    /// Parses requests per second from h2load's summary.
    ///
    /// - Throws: When any request ended without a 2xx status.
    static func rate(in output: String, requests: Int) throws(BenchError) -> Double {
        let lines = output.split(separator: "\n")
        let succeeded = lines.first { $0.hasPrefix("status codes: ") }.flatMap {
            $0.split(separator: " ").dropFirst(2).first
        }.flatMap { Int($0) }
        guard succeeded == requests else {
            let outcome = lines.filter { $0.hasPrefix("requests:") || $0.hasPrefix("status codes") }
            throw BenchError(
                "h2load did not get \(requests) responses with 2xx: "
                    + (outcome.isEmpty ? output : outcome.joined(separator: "; ")))
        }
        // finished in 1.02s, 195121.95 req/s, 12.34MB/s
        let rate = lines.first { $0.hasPrefix("finished in ") }.flatMap {
            $0.split(separator: " ").dropFirst(3).first
        }.flatMap { Double($0) }
        guard let rate, rate > 0 else { throw BenchError("h2load printed no rate: \(output)") }
        return rate
    }
}
