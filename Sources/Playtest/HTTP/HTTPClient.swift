package import Foundation
internal import Isolation

/// An HTTP/1.1 client for bots: a few kept connections, each blocking on a thread of its own.
///
/// It never sends a request twice by itself: what a bot does after a failure is part of the play.
/// `URLSession` would repeat a POST silently when a kept connection breaks.
package struct HTTPClient: Sendable {
    private let connections: [HTTPConnection]
    /// How many requests each connection has before it.
    private let queued: Locked<[Int]>
    private let timeoutSeconds: Int

    /// Connects when the first request is sent; `baseURL` gives host and port, in plain HTTP.
    package init(baseURL: URL, timeoutSeconds: Int = 10, connectionsMax: Int = 16) {
        let port = UInt16(exactly: baseURL.port ?? 80) ?? 80
        let address = HTTPConnection.Address(
            host: baseURL.scheme == "http" ? baseURL.host ?? "" : "", port: port)
        connections = (0..<connectionsMax).map { _ in HTTPConnection(to: address) }
        queued = Locked(Array(repeating: 0, count: connectionsMax))
        self.timeoutSeconds = timeoutSeconds
    }

    /// Sends a request and waits for its answer, whatever its status.
    ///
    /// `path` is percent-encoded already, `body` is JSON. Cancelling the task does not shorten
    /// the wait.
    package func send(
        _ method: String, _ path: String, token: String? = nil, language: String? = nil,
        body: [UInt8]? = nil
    ) async throws(HTTPClientError) -> HTTPAnswer {
        let index = queued.withLock { queued in
            let index = queued.indices.min { queued[$0] < queued[$1] } ?? 0
            queued[index] += 1
            return index
        }
        defer { queued.withLock { $0[index] -= 1 } }
        let request = HTTPConnection.Request(
            method: method, path: path, token: token, language: language, body: body)
        return try await connections[index].exchange(
            request, by: .now.advanced(by: .seconds(timeoutSeconds)))
    }
}

/// An answer, whatever its status.
package struct HTTPAnswer: Hashable, Sendable {
    package let status: Int
    /// Names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
}

/// Why there is no answer. Unless the connection was refused, nobody knows whether the request
/// has been carried out.
package enum HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No connection could be made: the request was not sent.
    case refused
    /// The connection broke before the whole answer was there.
    case lost
    /// The answer did not come in time.
    case timedOut

    package var description: String {
        switch self {
        case .refused: "nobody takes connections there: is the server running?"
        case .lost: "the connection broke before the whole answer was there"
        case .timedOut: "no answer came in time"
        }
    }
}
