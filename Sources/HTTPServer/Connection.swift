internal import CMicroHTTPD
internal import Glibc

/// A client's TCP connection with its current request.
///
/// It belongs to the library's thread that serves the connection, from the first callback to the
/// last, so it needs no lock. Other threads use its `ConnectionWatch`, and the `WaitingRequest` of a request
/// that waits for its handler.
final class Connection {
    /// Whether the connection is within the limits.
    enum Admission: Sendable {
        case admitted
        /// Beyond a limit of connections: its first request gets this.
        case refused(Problem)
    }

    private enum Stage {
        /// No request has arrived, or only its first line.
        case idle
        case reading(RequestReader)
        /// The application decides by the head whether the body may come.
        case admitting(WaitingRequest, RequestReader)
        /// The head was sufficient for a response. The library must call once more, because it
        /// closes a connection that gets its response before the library has looked for a body.
        case ready(Response)
        case waiting(WaitingRequest)
        case sending(status: Int)
        /// A stream, which is no request in flight.
        case streaming
    }

    let watch: ConnectionWatch
    /// Whose connections this one is counted among.
    let counted: ClientAddress?
    private let core: ServerCore
    private let handle: MHDConnection
    private let admission: Admission
    private let peer: ClientAddress
    private var stage = Stage.idle
    /// The encoded path and query; the next request reuses the array.
    private var target: [UInt8] = []
    private var began: Int64 = 0
    private var isHead = false

    init(_ handle: MHDConnection, _ core: ServerCore) {
        self.handle = handle
        self.core = core
        peer = handle.peer ?? .unknown
        counted = core.client(at: peer)
        admission = core.admission(of: counted)
        watch = ConnectionWatch(descriptor: handle.descriptor, deadline: core.requestDeadline)
    }

    // MARK: Calls from the library

    /// Saves the target of the first line, because the library is about to split its query in
    /// place.
    func firstLineArrived(_ line: UnsafeRawBufferPointer) {
        target.removeAll(keepingCapacity: true)
        target.append(contentsOf: line)
        watch.extend(to: core.requestDeadline)
        // The exact time costs as much as reading a header, so it is taken only if needed.
        if core.settings.onResponse != nil { began = CoarseClock.exact }
    }

    var isFresh: Bool {
        if case .idle = stage { true } else { false }
    }

    func headArrived(
        method: UnsafePointer<CChar>, path: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        core.traffic.requestBegan()
        let methodWord = UnsafeRawBufferPointer(text: method)
        isHead = methodWord.equals("HEAD")
        return target.withUnsafeBytes { target in
            var head = RequestHead(
                method: methodWord, path: path, target: target,
                version: UnsafeRawBufferPointer(text: version))
            handle.readHeaders(into: &head)
            identify(&head)
            do throws(Problem) {
                return try begin(head)
            } catch {
                return send(error.response.closing)
            }
        }
    }

    /// Notes whose request it is: the peer's, or behind a trusted proxy that of the client that it
    /// names.
    private func identify(_ head: inout RequestHead) {
        let proxies = core.settings.proxies
        head.client = peer
        guard proxies.contains(where: { $0.contains(peer) }) else { return }
        head.sender = .proxy
        head.client = ForwardedHeader.client(in: head, behind: proxies) ?? peer
    }

    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        guard case .reading(var reader) = stage else { return .YES }
        // Without this, each piece of the body would copy the array.
        stage = .sending(status: 0)
        let step = reader.received(bytes)
        stage = .reading(reader)
        return perform(step)
    }

    /// Handles a complete request, or a resumed connection.
    func continued() -> MHD_Result {
        switch stage {
        case .reading(let reader): perform(reader.end())
        case .admitting(let request, let reader):
            request.takeOutcome().map { perform($0, reader) } ?? .YES
        case .ready(let response): send(response)
        case .waiting(let request): request.takeOutcome().map { perform($0, nil) } ?? .YES
        case .idle, .sending, .streaming: .YES
        }
    }

    func completed() {
        watch.extend(to: core.idleDeadline)
        endWaiting()
        let stage = stage
        self.stage = .idle
        if target.count > RequestHead.targetBytesMax { target = [] }
        if case .idle = stage { return }
        if case .streaming = stage {
            watch.setStream(nil)
            return core.traffic.streamEnded()
        }
        core.traffic.requestEnded()
        guard case .sending(let status) = stage else { return }
        core.settings.onResponse?(status, .nanoseconds(CoarseClock.exact - began))
    }

    // MARK: Actions

    /// Decides what the head alone determines; a thrown problem closes the connection.
    private func begin(_ head: borrowing RequestHead) throws(Problem) -> MHD_Result {
        if case .refused(let problem) = admission { throw problem }
        let framing = try head.framing()
        if let response = immediateResponse(to: head, framing) {
            stage = .ready(response)
            return .YES
        }
        let larger = core.settings.largerBodyBytesMax?(head)
        let limit = larger ?? core.settings.bodyBytesMax
        if case .length(let length) = framing, length > RequestReader.announcedBytesMax(limit) {
            throw .bodyTooLarge(limit: limit)
        }
        let request = Self.request(head)
        let reader = RequestReader(
            request, bodyBytesMax: limit, dropBytesMax: core.settings.dropBytesMax)
        if larger != nil, framing != .length(0), case .success(let known) = request {
            return admit(known, reader)
        }
        stage = .reading(reader)
        return .YES
    }

    /// Asks whether a larger body may come.
    private func admit(_ head: Request, _ reader: RequestReader) -> MHD_Result {
        guard core.traffic.mayHandle(limit: core.settings.requestsMax) else {
            return send(Problem.busy.response.closing)
        }
        let waiting = WaitingRequest(.head, core, handle)
        stage = .admitting(waiting, reader)
        return waiting.run(head, on: watch).map { perform($0, reader) } ?? .YES
    }

    private static func request(_ head: borrowing RequestHead) -> Result<Request, Problem> {
        do throws(Problem) { return .success(try Request(head)) } catch { return .failure(error) }
    }

    private func immediateResponse(
        to head: borrowing RequestHead, _ framing: RequestHead.Framing
    ) -> Response? {
        guard let immediate = core.immediate, framing == .length(0), head.isWellEncoded else {
            return nil
        }
        return immediate(head)
    }

    private func perform(_ step: RequestReader.Step) -> MHD_Result {
        switch step {
        case .readOn: return .YES
        case .handle(let request):
            // A change that has waited too long for its client, which may have repeated it at
            // another node and then have asked for the opposite.
            guard request.method == .get || !handle.hasClientLeft else { return .NO }
            guard core.traffic.mayHandle(limit: core.settings.requestsMax) else {
                return send(Problem.busy.response)
            }
            let waiting = WaitingRequest(.whole, core, handle)
            stage = .waiting(waiting)
            return waiting.run(request, on: watch).map { perform($0, nil) } ?? .YES
        case .respond(let problem): return send(problem.response)
        case .cut(let problem):
            handle.sendPastLibrary(problem.response.closing.onTheWire)
            return .NO
        }
    }

    private func endWaiting() {
        switch stage {
        case .waiting, .admitting: watch.setWaiting(nil)
        case .idle, .reading, .ready, .sending, .streaming: break
        }
    }

    /// Goes on after a handler; `reader` takes the body of a head that is admitted.
    private func perform(
        _ outcome: WaitingRequest.Outcome, _ reader: RequestReader?
    ) -> MHD_Result {
        switch outcome {
        case .respond(let response): return send(reader == nil ? response : response.closing)
        case .readBody:
            endWaiting()
            if let reader { stage = .reading(reader) }
            return .YES
        }
    }

    private func send(_ response: Response) -> MHD_Result {
        let response = core.traffic.phase == .serving ? response : response.closing
        watch.extend(to: core.requestDeadline)
        endWaiting()
        if let body = response.stream { return send(body, of: response) }
        stage = .sending(status: response.status)
        return handle.queue(response)
    }

    private func send(_ body: StreamBody, of response: Response) -> MHD_Result {
        guard core.traffic.phase == .serving else { return send(Problem.late.response) }
        // The library would send the end of a chunked body even so.
        guard !isHead else {
            return send(Response(status: response.status, headers: response.headers))
        }
        let reader = StreamReader(body, on: handle, watch, core)
        guard let made = LibraryResponse(reader, response) else { return .NO }
        defer { made.destroy() }
        stage = .streaming
        watch.setStream(body.stream)
        body.stream.begin(on: watch)
        core.traffic.streamBegan()
        core.settings.onResponse?(response.status, .nanoseconds(CoarseClock.exact - began))
        return handle.queue(made)
    }
}

extension UnsafeRawBufferPointer {
    /// Wraps the bytes up to the NUL.
    init(text: UnsafePointer<CChar>) {
        self.init(start: text, count: strlen(text))
    }
}
