internal import CCurl
internal import HTTPServer
internal import Isolation

/// One request of libcurl's and its response. It belongs to the forwarder's thread, and borrows its
/// handle, which must be reset before the transfer is released.
///
/// **Nothing is performed twice.** libcurl silently repeats a request of any method when a kept
/// connection breaks before the first byte of a response, although the other side may have
/// performed it. But before each attempt, also on a kept connection, it asks `sending`, and that
/// refuses the second attempt of everything but a GET. So bytes of a POST, PUT or DELETE leave for
/// one connection only, and a transfer that ends without `attempts` has sent none.
final class Transfer {
    enum Limit {
        /// A GET changes nothing.
        static let attemptsOfGet = 2
        static let attempts = 1
    }

    let outgoing: OutgoingRequest
    let handle: UnsafeMutableRawPointer
    private let shared: ForwardShared
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var attempts = 0
    private var head = ResponseHead()
    private var body: [UInt8] = []
    private(set) var relay: RelayedStream?
    /// What this side found wrong, which ended the transfer.
    private var fault: ForwardFault?
    /// When the transfer is given up; `nil`: a stream waits for its client.
    private(set) var deadline: ContinuousClock.Instant?

    var id: UInt64 { outgoing.id }

    init(_ outgoing: OutgoingRequest, on handle: UnsafeMutableRawPointer, _ shared: ForwardShared) {
        self.outgoing = outgoing
        self.handle = handle
        self.shared = shared
        deadline = .now.advanced(by: shared.settings.responseTimeout)
    }

    deinit { curl_slist_free_all(headers) }

    // MARK: The request

    /// Sets libcurl's options; returns the first error.
    func prepare() -> CURLcode {
        let settings = shared.settings
        headers = NodeHeaders.list(for: outgoing.request, outgoing.hop, settings.key)
        guard headers != nil else { return CURLE_OUT_OF_MEMORY }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let scheme = settings.authority == nil ? "http" : "https"
        let target = String(decoding: outgoing.request.target, as: UTF8.self)
        let timeout = max(1, Int(settings.connectTimeout / .milliseconds(1)))
        let codes = [
            curl_set_owner(handle, context),
            curl_set_text(handle, CURLOPT_URL, "\(scheme)://\(outgoing.address)/"),
            curl_set_text(handle, CURLOPT_PROTOCOLS_STR, scheme),
            // As it arrived: libcurl would change a URL's dots and its empty query.
            curl_set_text(handle, CURLOPT_REQUEST_TARGET, target),
            curl_set_number(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            curl_set_text(handle, CURLOPT_PROXY, ""),
            // Timeouts raise signals otherwise.
            curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, timeout),
            curl_set_number(handle, CURLOPT_MAXAGE_CONN, settings.idleSecondsMax),
            // A stream may be silent; a machine that is gone must not keep it.
            curl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1),
            curl_set_headers(handle, headers),
            curl_set_receivers(handle, Self.takeHead, Self.takeBody, context),
            curl_set_sending(handle, Self.sending, context),
        ]
        let method = setMethod()
        return (codes + [method, setTrust()]).first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private func setMethod() -> CURLcode {
        let request = outgoing.request
        let method = curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        switch request.method {
        case .get, .delete:
            guard !request.body.isEmpty else { return method }
        case .post, .put: break
        }
        return method == CURLE_OK
            ? curl_set_body(handle, request.body, request.body.count) : method
    }

    /// Trusts the nodes' authority and no other.
    private func setTrust() -> CURLcode {
        guard let authority = shared.settings.authority else { return CURLE_OK }
        let bytes = Array(authority.utf8)
        let codes = [
            curl_set_text(handle, CURLOPT_CAPATH, nil),
            curl_set_text(handle, CURLOPT_CAINFO, nil),
            curl_set_bytes(handle, CURLOPT_CAINFO_BLOB, bytes, bytes.count),
            curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 1),
            curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 2),
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private func mayBeSent() -> Bool {
        attempts += 1
        let isGet = outgoing.request.method == .get
        return attempts <= (isGet ? Limit.attemptsOfGet : Limit.attempts)
    }

    // MARK: The response

    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        switch head.add(line) {
        case .readOn: return true
        case .malformed:
            fault = .unknownOutcome("the response's head is malformed or too large")
            return false
        case .complete: return head.isStream ? beginStream() : true
        }
    }

    private func beginStream() -> Bool {
        let address = outgoing.address
        let client = outgoing.request.client
        switch shared.load.withLock({ $0.becomesStream(id, from: client, to: address) }) {
        case .free: break
        case .insteadOf(let other): shared.inbox.post(.drop(other))
        case .none:
            fault = .overloaded
            return false
        }
        let relay = RelayedStream(
            id: id, bytesMax: shared.settings.streamBytesMax, inbox: shared.inbox)
        self.relay = relay
        heard()
        outgoing.continuation.resume(
            returning: .success(Response(headers: head.passedOn, stream: relay.makeStream())))
        return true
    }

    /// Returns how libcurl goes on.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let relay {
            guard relay.take(bytes) else {
                deadline = nil
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            heard()
            return bytes.count
        }
        guard body.count + bytes.count <= shared.settings.responseBytesMax else {
            fault = .unknownOutcome(
                "the response has more than \(shared.settings.responseBytesMax) bytes")
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Reads on after the client has taken what it had.
    func readOn() {
        heard()
        // An error ends the transfer, which libcurl reports.
        curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    private func heard() { deadline = .now.advanced(by: shared.settings.streamSilenceMax) }

    // MARK: The end

    /// Reports how it ended; called once.
    func finish(_ code: CURLcode) {
        if let relay {
            shared.load.withLock { $0.endStream(id) }
            return relay.finish(code == CURLE_OK ? .complete : .broken)
        }
        let address = outgoing.address
        shared.load.withLock { $0.end(to: address) }
        outgoing.continuation.resume(returning: result(code))
    }

    private func result(_ code: CURLcode) -> Result<Response, ForwardFault> {
        if let fault { return .failure(fault) }
        if code == CURLE_OK, head.isComplete {
            return head.isRefusal
                ? .failure(.notReached("\(outgoing.address) refuses this node's key"))
                : .success(head.response(body))
        }
        let text = "\(outgoing.address): \(String(cString: curl_easy_strerror(code)))"
        return .failure(attempts == 0 ? .notReached(text) : .unknownOutcome(text))
    }
}

// MARK: - Calls from libcurl

extension Transfer {
    private static func owner(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The transfer of a handle.
    static func of(_ handle: UnsafeMutableRawPointer) -> Transfer? { owner(curl_owner(handle)) }

    private static let takeHead: curl_write_callback = { bytes, _, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        return owner(context)?.takeHead(line) == true ? count : 0
    }

    private static let takeBody: curl_write_callback = { bytes, _, count, context in
        owner(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
    }

    private static let sending: curl_prereq_callback = { context, _, _, _, _ in
        owner(context)?.mayBeSent() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
}
