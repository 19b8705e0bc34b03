internal import CMicroHTTPD
internal import Glibc

/// A client's TCP connection with its current request.
///
/// It belongs to the library's thread that serves the connection, from the first callback to the
/// last, so it needs no lock. Other threads use its `Lifeline`, and the `Exchange` of a request
/// that waits for its handler.
final class Connection {
    /// Whether the connection is within the limit.
    enum Standing: Sendable {
        case welcome
        /// Beyond the limit of connections: its first request gets a 503.
        case surplus
    }

    private enum Stage {
        /// No request has arrived, or only its first line.
        case idle
        case reading(Intake)
        /// The head was sufficient for a response. The library must call once more, because it
        /// closes a connection that gets its response before the library has looked for a body.
        case ready(Response)
        case waiting(Exchange)
        case sending(status: Int)
    }

    let lifeline: Lifeline
    private let engine: Engine
    private let handle: MHDConnection
    private let standing: Standing
    private var stage = Stage.idle
    /// The encoded path and query; the next request reuses the array.
    private var target: [UInt8] = []
    private var began: Int64 = 0

    init(_ handle: MHDConnection, _ engine: Engine) {
        self.handle = handle
        self.engine = engine
        standing = engine.standingOfNext
        lifeline = Lifeline(descriptor: handle.descriptor, deadline: engine.requestDeadline)
    }

    // MARK: Calls from the library

    /// Saves the target of the first line, because the library is about to split its query in
    /// place.
    func firstLineArrived(_ line: UnsafeRawBufferPointer) {
        target.removeAll(keepingCapacity: true)
        target.append(contentsOf: line)
        lifeline.extend(to: engine.requestDeadline)
        // The exact time costs as much as reading a header, so it is taken only if needed.
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
        // Without this, each piece of the body would copy the array.
        stage = .sending(status: 0)
        let step = intake.received(bytes)
        stage = .reading(intake)
        return perform(step)
    }

    /// Handles a complete request, or a resumed connection.
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

    // MARK: Actions

    /// Decides what the head alone determines; a thrown problem closes the connection.
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
    /// Wraps the bytes up to the NUL.
    init(text: UnsafePointer<CChar>) {
        self.init(start: text, count: strlen(text))
    }
}
