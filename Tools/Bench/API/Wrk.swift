internal import Foundation
internal import PushLoad

/// Debian's wrk with `requests.lua`: its arguments and its results.
struct Wrk: Sendable {
    /// How to send the requests of a list.
    enum Mode: String, Sendable {
        /// Each once, in order; wrk ends with the last one.
        case once
        /// The first one, repeatedly.
        case again = "repeat"
    }

    /// The connections, each with one request in flight, for throughput.
    static let many = 64

    let script: String
    let listFile: String
    let port: UInt16
    let mode: Mode
    /// The limit, for a list.
    let seconds: Int
    var connections = many

    /// The arguments: one thread, because it has one core.
    var arguments: [String] {
        [
            "--threads", "1", "--connections", String(connections), "--duration", "\(seconds)s",
            "--timeout", "30s", "--script", script, "http://127.0.0.1:\(port)", "--", listFile,
            mode.rawValue, String(connections),
        ]
    }
}

/// wrk's result: the last line of its output, written by `requests.lua`.
struct WrkResult: Hashable, Sendable, Decodable {
    /// Requests with a response, with those beyond the end of a list.
    let requests: Int
    let seconds: Double
    /// Responses without success.
    let refused: Int
    /// Requests without a response.
    let lost: Int
    /// From the list's first request to its last; 0: the time was over before.
    let listSeconds: Double

    /// Reads all output of wrk; `request` is its first one, for the error.
    ///
    /// - Throws: When any request was refused or lost: such a run measures something else.
    init(output: String, of request: String = "") throws(BenchError) {
        let line = output.split(separator: "\n").last.map(String.init) ?? ""
        guard let result = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
            throw BenchError("wrk did not print its result: \(output)")
        }
        guard result.refused == 0, result.lost == 0 else {
            throw BenchError(
                "of \(result.requests) requests \(result.refused) were refused and "
                    + "\(result.lost) got no response; the first one is \(request)")
        }
        self = result
    }

    /// Returns the requests per second. Of a list of this length it counts those with a response
    /// when the last one was sent, because the last ones have the server to themselves.
    func rate(ofList count: Int?, connections: Int) -> Double {
        guard let count, listSeconds > 0 else { return Double(requests) / seconds }
        return Double(max(1, count - connections)) / listSeconds
    }
}
