internal import CMicroHTTPD
internal import Glibc

/// A client's TCP connection, and the request on it.
///
/// It belongs to the library's thread that serves the connection, from the library's first notice
/// to its last, so it needs no lock. Other threads have its `Lifeline`, and the `Exchange` of a
/// request that waits for its handler.
final class Connection {
    /// Whether there was room for it.
    enum Standing: Sendable {
        case welcome
        /// Its first request is answered with 503: the server has all the connections it may.
        case surplus
    }

    private enum Stage {
        /// No request is here, or only its first line.
        case idle
        case reading(Intake)
        /// The head was enough. The library must ask once more, for it closes a connection that
        /// gets its answer before it has looked for a body.
        case ready(Response)
        case waiting(Exchange)
        case sending(status: Int)
    }

    let lifeline: Lifeline
    private let engine: Engine
    private let handle: MHDConnection
    private let standing: Standing
    private var stage = Stage.idle
    /// Path and query as they came; the array stays for the next request.
    private var target: [UInt8] = []
    private var began: Int64 = 0

    init(_ handle: MHDConnection, _ engine: Engine) {
        self.handle = handle
        self.engine = engine
        standing = engine.standingOfNext
        lifeline = Lifeline(descriptor: handle.descriptor, deadline: engine.requestDeadline)
    }

    // MARK: What the library reports

    /// The first line has come in; the library is about to cut the query in pieces.
    func firstLineArrived(_ line: UnsafeRawBufferPointer) {
        target.removeAll(keepingCapacity: true)
        target.append(contentsOf: line)
        lifeline.extend(to: engine.requestDeadline)
        // The exact time costs as much as reading a header: only where somebody wants it.
        if engine.settings.onAnswer != nil { began = CoarseClock.exact }
    }

    var isFresh: Bool {
        if case .idle = stage { true } else { false }
    }

    func headArrived(
        method: UnsafePointer<CChar>, path: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        engine.traffic.requestBegan()
        return target.withUnsafeBytes { target in
            var head = RequestHead(
                method: UnsafeRawBufferPointer(text: method), path: path, target: target,
                version: UnsafeRawBufferPointer(text: version))
            handle.readHeaders(into: &head)
            do throws(Problem) {
                return try begin(head)
            } catch {
                return send(error.response.closing)
            }
        }
    }

    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        guard case .reading(var intake) = stage else { return .YES }
        // Without this the array of bytes would be copied with every piece.
        stage = .sending(status: 0)
        let step = intake.received(bytes)
        stage = .reading(intake)
        return perform(step)
    }

    /// The request is whole, or the connection has been resumed.
    func continued() -> MHD_Result {
        switch stage {
        case .reading(let intake): perform(intake.end())
        case .ready(let response): send(response)
        case .waiting(let exchange): exchange.taken().map(send) ?? .YES
        case .idle, .sending: .YES
        }
    }

    func completed() {
        lifeline.extend(to: engine.idleDeadline)
        let stage = stage
        self.stage = .idle
        if target.count > RequestHead.targetBytesMax { target = [] }
        if case .idle = stage { return }
        if case .waiting = stage { lifeline.carries(nil) }
        engine.traffic.requestEnded()
        guard case .sending(let status) = stage else { return }
        engine.settings.onAnswer?(status, .nanoseconds(CoarseClock.exact - began))
    }

    // MARK: What is done about it

    /// What the head alone decides; a problem that is thrown closes the connection.
    private func begin(_ head: borrowing RequestHead) throws(Problem) -> MHD_Result {
        guard standing == .welcome else { throw .crowded }
        let framing = try head.framing()
        if let response = immediateAnswer(to: head, framing) {
            stage = .ready(response)
            return .YES
        }
        let limit = engine.settings.bodyBytesMax
        if case .length(let length) = framing, length > Intake.dropBytesMax(limit) {
            throw .bodyTooLarge(limit: limit)
        }
        stage = .reading(Intake(Self.request(head), bodyBytesMax: limit))
        return .YES
    }

    private static func request(_ head: borrowing RequestHead) -> Result<Request, Problem> {
        do throws(Problem) { return .success(try Request(head)) } catch { return .failure(error) }
    }

    private func immediateAnswer(
        to head: borrowing RequestHead, _ framing: RequestHead.Framing
    ) -> Response? {
        guard let immediate = engine.immediate, framing == .length(0), head.isWellEncoded else {
            return nil
        }
        return immediate(head)
    }

    private func perform(_ step: Intake.Step) -> MHD_Result {
        switch step {
        case .readOn: return .YES
        case .handle(let request):
            guard engine.traffic.mayHandle(limit: engine.settings.requestsMax) else {
                return send(Problem.busy.response)
            }
            let exchange = Exchange(engine, handle)
            stage = .waiting(exchange)
            return exchange.answer(to: request, on: lifeline).map(send) ?? .YES
        case .answer(let problem): return send(problem.response)
        case .cut(let problem):
            handle.sendPastLibrary(problem.response.closing)
            return .NO
        }
    }

    private func send(_ response: Response) -> MHD_Result {
        let response = engine.traffic.phase == .serving ? response : response.closing
        lifeline.extend(to: engine.requestDeadline)
        if case .waiting = stage { lifeline.carries(nil) }
        stage = .sending(status: response.status)
        return handle.queue(response)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes up to the NUL.
    init(text: UnsafePointer<CChar>) {
        self.init(start: text, count: strlen(text))
    }
}
