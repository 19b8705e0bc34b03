internal import Foundation
internal import PushLoad

/// Debian's wrk with `requests.lua`: what it is asked to do, and what it found.
struct Wrk: Sendable {
    /// How the requests of a list are sent.
    enum Mode: String, Sendable {
        /// Each once, in order; wrk ends with the last one.
        case once
        /// The first one, all the time.
        case again = "repeat"
    }

    /// Connections that always have one request on its way, where throughput is measured.
    static let many = 64

    let script: String
    let listFile: String
    let port: UInt16
    let mode: Mode
    /// At most, for a list.
    let seconds: Int
    var connections = many

    /// One thread, since it has one core.
    var arguments: [String] {
        [
            "--threads", "1", "--connections", String(connections), "--duration",
            "\(seconds)s", "--timeout", "30s", "--script", script, "http://127.0.0.1:\(port)",
            "--", listFile, mode.rawValue,
        ]
    }
}

/// What wrk did: the last line of its output, which `requests.lua` writes.
struct WrkResult: Hashable, Sendable, Decodable {
    /// That were answered, those behind the end of a list included.
    let requests: Int
    let seconds: Double
    /// Responses that were no success.
    let refused: Int
    /// Requests without a response.
    let lost: Int
    /// From the list's first request to its last; 0: the time was over before.
    let listSeconds: Double

    /// - Parameter output: All that wrk has printed.
    /// - Throws: Where a single request was refused or lost: such a run measures something else.
    init(output: String) throws(BenchError) {
        let line = output.split(separator: "\n").last.map(String.init) ?? ""
        guard let result = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
            throw BenchError("wrk did not print its result: \(output)")
        }
        guard result.refused == 0, result.lost == 0 else {
            throw BenchError(
                "of \(result.requests) requests \(result.refused) were refused and "
                    + "\(result.lost) got no response")
        }
        self = result
    }

    /// Requests a second. Of a list of so many it counts those whose response was there when the
    /// last one left: the last ones have the server for themselves.
    func rate(ofList count: Int?, connections: Int) -> Double {
        guard let count, listSeconds > 0 else { return Double(requests) / seconds }
        return Double(max(1, count - connections)) / listSeconds
    }
}

/// One run of wrk, with what it cost the server.
struct APIRun: Hashable, Sendable {
    /// Requests a second.
    let rate: Double
    let requests: Int
    /// The server's user and system time a request.
    let cpuMicroseconds: Double
    let didFinishList: Bool

    /// - Parameters:
    ///   - result: What wrk said.
    ///   - count: The list's length; `nil`: one request was repeated.
    ///   - connections: Over which it went.
    ///   - cpuSeconds: The server's.
    init(
        _ result: WrkResult, ofList count: Int?, connections: Int = Wrk.many, cpuSeconds: Double
    ) {
        rate = result.rate(ofList: count, connections: connections)
        didFinishList = result.listSeconds > 0
        // The few behind a list's end are neither counted nor dear.
        requests = min(result.requests, count ?? result.requests)
        cpuMicroseconds = cpuSeconds / Double(max(1, requests)) * 1e6
    }
}
