internal import CCurl
internal import Secrets

/// Opens event streams at a URL, each on a connection of its own, as phones do, and keeps them open,
/// to learn how many a proxy carries.
struct StreamTrial: Sendable {
    /// How many streams are being opened at a time.
    static let openingMax = 8
    /// How long one stream may take to open, in milliseconds.
    static let openingMilliseconds = 10_000
    /// How long a trial opens streams at most, in seconds: the first ones soon end.
    static let secondsMax: Int64 = 90
    /// How often in a row it rests because a rate is used up (429).
    static let restsMax = 5
    /// How much of a refusal is kept, in bytes.
    static let refusalBytesMax = 1024

    let url: String
    let token: Secret
    /// The certificates that verify the proxy's, in PEM; `nil`: the system's.
    var authority: String?
    /// The address to connect from; `nil`: the system's choice.
    var interface: String?
    /// How long it rests because a rate is used up.
    var rest = Duration.seconds(1)

    init(url: String, token: Secret) {
        self.url = url
        self.token = token
    }

    /// How a trial ended.
    struct Outcome: Hashable, Sendable {
        /// How many streams were open at the same time.
        let open: Int
        /// Why there was not one more, the first reason; `nil`: there were as many as were wanted, or
        /// as there was time for.
        let refusal: Refusal?
    }

    enum Refusal: Hashable, Sendable {
        /// Another response than a stream, with the beginning of its body.
        case response(status: Int, body: String)
        /// A connection that was not made, or that broke.
        case failure(String)
    }

    /// Opens this many streams, and closes them again. Blocks its thread.
    func run(_ count: Int) -> Outcome {
        guard let multi = curl_multi_init() else {
            return Outcome(open: 0, refusal: .failure("no memory for connections"))
        }
        let run = StreamTrialRun(self, on: multi, wanting: count)
        defer { run.close() }
        return run.outcome()
    }
}

/// One trial, on one thread.
private final class StreamTrialRun {
    private let trial: StreamTrial
    private let multi: UnsafeMutableRawPointer
    private let wanted: Int
    private let headers: UnsafeMutablePointer<curl_slist>?
    /// By their handles.
    private var streams: [UnsafeMutableRawPointer: TrialStream] = [:]
    private var openCount = 0
    private var refusal: StreamTrial.Refusal?
    private let deadline = ContinuousClock.now.advanced(by: .seconds(StreamTrial.secondsMax))
    private var restsUntil: ContinuousClock.Instant?
    /// Rests since a stream was opened.
    private var rests = 0

    private static let waitMilliseconds: Int32 = 100

    init(_ trial: StreamTrial, on multi: UnsafeMutableRawPointer, wanting count: Int) {
        self.trial = trial
        self.multi = multi
        wanted = count
        headers = curl_slist_append(nil, "Authorization: Bearer \(trial.token.revealed)")
        curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, count)
    }

    func close() {
        for handle in streams.keys { end(handle) }
        curl_multi_cleanup(multi)
        curl_slist_free_all(headers)
    }

    func outcome() -> StreamTrial.Outcome {
        while openCount < wanted, refusal == nil, .now < deadline {
            openMore()
            perform()
        }
        // What has begun may still succeed.
        while streams.count > openCount { perform() }
        return StreamTrial.Outcome(open: openCount, refusal: openCount < wanted ? refusal : nil)
    }

    /// Begins to open streams, unless enough are being opened.
    private func openMore() {
        if let restsUntil {
            guard ContinuousClock.now >= restsUntil else { return }
            self.restsUntil = nil
        }
        while refusal == nil, streams.count < wanted,
            streams.count - openCount < StreamTrial.openingMax
        {
            guard let handle = curl_easy_init() else {
                return refuse(.failure("no memory for a connection"))
            }
            let stream = TrialStream { [weak self] in self?.opened() }
            guard prepare(handle, stream), curl_multi_add_handle(multi, handle) == CURLM_OK else {
                curl_easy_cleanup(handle)
                return refuse(.failure("a request cannot be made"))
            }
            streams[handle] = stream
        }
    }

    private func refuse(_ reason: StreamTrial.Refusal) { refusal = refusal ?? reason }

    private func opened() {
        openCount += 1
        rests = 0
    }

    private func prepare(_ handle: UnsafeMutableRawPointer, _ stream: TrialStream) -> Bool {
        let context = Unmanaged.passUnretained(stream).toOpaque()
        var codes = [
            curl_set_text(handle, CURLOPT_URL, trial.url),
            curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
            curl_set_number(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1),
            curl_set_number(handle, CURLOPT_FORBID_REUSE, 1),
            curl_set_text(handle, CURLOPT_PROXY, ""),
            // Timeouts raise signals otherwise.
            curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, StreamTrial.openingMilliseconds),
            curl_set_number(handle, CURLOPT_BUFFERSIZE, StreamTrial.refusalBytesMax),
            curl_set_headers(handle, headers),
            curl_set_receivers(handle, TrialStream.takeHead, TrialStream.takeBody, context),
        ]
        if let interface = trial.interface {
            codes.append(curl_set_text(handle, CURLOPT_INTERFACE, interface))
        }
        if let authority = trial.authority {
            let bytes = Array(authority.utf8)
            codes.append(curl_set_bytes(handle, CURLOPT_CAINFO_BLOB, bytes, bytes.count))
        }
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    /// Lets libcurl work for a moment.
    private func perform() {
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        while let message = curl_multi_info_read(multi, &count) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle
            else { continue }
            ended(handle, message.pointee.data.result)
        }
        let now = ContinuousClock.now
        for (handle, stream) in streams where stream.isOverdue(at: now) {
            end(handle)
            refuse(.failure("there was no response in time"))
        }
        curl_multi_poll(multi, nil, 0, Self.waitMilliseconds, nil)
    }

    private func ended(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
        let status = Int(curl_status(handle))
        guard let stream = end(handle) else { return }
        if stream.isOpen {
            openCount -= 1
            refuse(.failure("an open stream ended"))
        } else if code != CURLE_OK {
            refuse(.failure(String(cString: curl_easy_strerror(code))))
        } else if status == 429, rests < StreamTrial.restsMax {
            guard restsUntil == nil else { return }
            rests += 1
            restsUntil = .now.advanced(by: trial.rest)
        } else {
            refuse(.response(status: status, body: stream.refusal))
        }
    }

    @discardableResult
    private func end(_ handle: UnsafeMutableRawPointer) -> TrialStream? {
        curl_multi_remove_handle(multi, handle)
        curl_easy_cleanup(handle)
        return streams.removeValue(forKey: handle)
    }
}

/// One stream of a trial. libcurl borrows it.
private final class TrialStream {
    private(set) var isOpen = false
    private var isStream = false
    private var body: [UInt8] = []
    private let opened: () -> Void
    private let deadline = ContinuousClock.now.advanced(
        by: .milliseconds(StreamTrial.openingMilliseconds))

    init(opened: @escaping () -> Void) { self.opened = opened }

    /// The beginning of the body of another response.
    var refusal: String { String(decoding: body, as: UTF8.self) }

    func isOverdue(at now: ContinuousClock.Instant) -> Bool { !isOpen && deadline <= now }

    private func takeHead(_ line: UnsafeRawBufferPointer) {
        let text = String(decoding: line, as: UTF8.self).lowercased()
        if text.hasPrefix("content-type:") { isStream = text.contains("text/event-stream") }
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) {
        guard isStream else {
            body += bytes.prefix(StreamTrial.refusalBytesMax - body.count)
            return
        }
        guard !isOpen else { return }
        isOpen = true
        opened()
    }

    private static func owner(_ context: UnsafeMutableRawPointer?) -> TrialStream? {
        context.map { Unmanaged<TrialStream>.fromOpaque($0).takeUnretainedValue() }
    }

    static let takeHead: curl_write_callback = { bytes, _, count, context in
        owner(context)?.takeHead(UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    static let takeBody: curl_write_callback = { bytes, _, count, context in
        owner(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }
}
