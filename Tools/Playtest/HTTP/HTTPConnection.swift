internal import CCurl
internal import Isolation

/// One kept connection to a server, which sends one request at a time.
actor HTTPConnection {
    struct Request: Sendable {
        let method: String
        /// Percent-encoded.
        let path: String
        /// "name: value"
        let headers: [String]
        let body: [UInt8]
    }

    private let executor = QueueExecutor(label: "HTTPConnection")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let curl = CurlHandle()

    /// Sends a request and returns its response; blocks this connection's thread only.
    func send(
        _ request: Request, to origin: String, counting tally: RequestTally,
        by deadline: ContinuousClock.Instant
    ) throws(HTTPClientError) -> HTTPClient.Response {
        let words = "\(request.method) \(request.path)"
        let rest = ContinuousClock.now.duration(to: deadline)
        // It has not been sent: no server has failed.
        guard rest > .zero else { throw .timedOut }
        let sentAt = Now.milliseconds()
        do throws(HTTPClientError) {
            let response = try curl.send(request, to: origin, within: rest)
            tally.note(response, to: words, sentAt: sentAt)
            return response
        } catch {
            tally.note(error, to: words, sentAt: sentAt)
            throw error
        }
    }

    /// Sends a request whose response is a stream; blocks this connection's thread until it ends, is
    /// lost, or until the deadline. `take` gets the body as it arrives. Returns the status; `nil`:
    /// there was no response.
    func stream(
        _ request: Request, from origin: String, by deadline: ContinuousClock.Instant,
        take: @escaping @Sendable ([UInt8]) -> Void
    ) -> Int? {
        curl.stream(
            request, from: origin, within: ContinuousClock.now.duration(to: deadline), take: take)
    }
}

/// A handle of libcurl, which keeps its connection.
private final class CurlHandle {
    private let handle = curl_easy_init()

    deinit { curl_easy_cleanup(handle) }

    func send(
        _ request: HTTPConnection.Request, to origin: String, within timeout: Duration
    ) throws(HTTPClientError) -> HTTPClient.Response {
        var headers: UnsafeMutablePointer<curl_slist>?
        for header in request.headers { headers = curl_slist_append(headers, header) }
        defer { curl_slist_free_all(headers) }
        var received = Received()
        let code = withUnsafeMutablePointer(to: &received) { received in
            let prepared = prepare(
                request, to: origin, headers, within: timeout, into: received)
            return prepared == CURLE_OK ? curl_easy_perform(handle) : prepared
        }
        switch code {
        case CURLE_OK: break
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT: throw .refused
        case CURLE_OPERATION_TIMEDOUT: throw .timedOut
        default: throw .lost
        }
        return HTTPClient.Response(
            status: curl_status(handle), headers: received.headers, body: received.body)
    }

    func stream(
        _ request: HTTPConnection.Request, from origin: String, within timeout: Duration,
        take: @escaping ([UInt8]) -> Void
    ) -> Int? {
        var headers: UnsafeMutablePointer<curl_slist>?
        for header in request.headers { headers = curl_slist_append(headers, header) }
        defer { curl_slist_free_all(headers) }
        var received = Received(take: take)
        withUnsafeMutablePointer(to: &received) { received in
            let prepared = prepare(
                request, to: origin, headers, within: timeout, into: received)
            guard prepared == CURLE_OK else { return }
            // However it ends, the stream is opened again.
            _ = curl_easy_perform(handle)
        }
        let status = Int(curl_status(handle))
        return status == 0 ? nil : status
    }

    /// Sets the options of one request. Returns the first error.
    private func prepare(
        _ request: HTTPConnection.Request, to origin: String,
        _ headers: UnsafeMutablePointer<curl_slist>?, within timeout: Duration,
        into received: UnsafeMutableRawPointer
    ) -> CURLcode {
        curl_easy_reset(handle)
        var codes = [
            curl_set_text(handle, CURLOPT_URL, origin + request.path),
            // The path goes out as it is: "/../" is the server's to judge.
            curl_set_number(handle, CURLOPT_PATH_AS_IS, 1),
            curl_set_text(handle, CURLOPT_PROXY, ""),
            curl_set_number(handle, CURLOPT_MAXCONNECTS, 1),
            // Timeouts raise signals otherwise.
            curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            curl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(timeout / .milliseconds(1)))),
            curl_set_headers(handle, headers),
            curl_set_receivers(handle, Received.takeHeader, Received.takeBody, received),
        ]
        if request.method != "GET" {
            codes += [
                curl_set_body(handle, request.body, request.body.count),
                curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method),
                // libcurl repeats a request whose kept connection breaks. A bot's reaction to a
                // failure is part of the play, so a request that changes something gets a new
                // connection.
                curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1),
            ]
        }
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }
}

/// What libcurl has received so far.
private struct Received {
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Gets the body as it arrives; `nil`: it is kept.
    var take: (([UInt8]) -> Void)?

    static let takeHeader: curl_write_callback = { bytes, _, count, context in
        let line = String(
            decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return count }
        let value = parts[1].drop { $0 == " " }.prefix { !$0.isNewline }
        context?.assumingMemoryBound(to: Received.self).pointee
            .headers[parts[0].lowercased()] = String(value)
        return count
    }

    static let takeBody: curl_write_callback = { bytes, _, count, context in
        guard let received = context?.assumingMemoryBound(to: Received.self) else { return count }
        let new = UnsafeRawBufferPointer(start: bytes, count: count)
        guard let take = received.pointee.take else {
            received.pointee.body += new
            return count
        }
        take(Array(new))
        return count
    }
}
