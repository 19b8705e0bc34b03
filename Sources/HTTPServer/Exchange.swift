internal import CMicroHTTPD
internal import Isolation

/// One request and its answer.
///
/// Made when the library has read the request's first line, freed when it says that the request
/// is completed. The library calls from one thread, the handler's answer and the watchdog come
/// from others: they meet in `phase`. Whoever moves it out of `suspended` resumes the connection,
/// so that this happens exactly once.
final class Exchange: Sendable {
    private enum Phase {
        /// The first line is here, the headers are not.
        case fresh
        case reading(Intake)
        /// The handler runs, and the library's thread still waits for it.
        case working
        /// The handler runs, and the library has put the connection aside.
        case suspended(Task<Void, Never>)
        case answered(Response)
        case sending(status: Int)
    }

    /// Path and query as they came.
    let target: String
    private let engine: Engine
    private let connection: Connection
    private let handle: MHDConnection
    private let began = ContinuousClock.now
    private let phase = Locked(Phase.fresh)

    init(_ engine: Engine, on connection: Connection, _ handle: MHDConnection, target: String) {
        self.engine = engine
        self.connection = connection
        self.handle = handle
        self.target = target
        connection.carries(self, until: engine.requestDeadline)
    }

    // MARK: What the library's thread reports

    var isFresh: Bool {
        phase.withLock { phase in
            if case .fresh = phase { true } else { false }
        }
    }

    func headArrived(_ head: RequestHead) -> MHD_Result {
        engine.traffic.requestBegan()
        let intake = Intake(head, bodyBytesMax: engine.settings.bodyBytesMax)
        phase.withLock { $0 = .reading(intake) }
        guard connection.standing == .welcome else { return perform(.refuse(.crowded)) }
        return perform(intake.begin())
    }

    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        let step = phase.withLock { phase -> Intake.Step in
            guard case .reading(var intake) = phase else { return .readOn }
            // Without this the array of bytes would be copied with every piece.
            phase = .fresh
            let step = intake.received(bytes)
            phase = .reading(intake)
            return step
        }
        return perform(step)
    }

    /// The body has ended, or the connection has been resumed.
    func continued() -> MHD_Result {
        let (step, response) = phase.withLock { phase -> (Intake.Step, Response?) in
            switch phase {
            case .reading(let intake): (intake.end(), nil)
            case .answered(let response): (.readOn, response)
            case .fresh, .working, .suspended, .sending: (.readOn, nil)
            }
        }
        guard let response else { return perform(step) }
        return send(response)
    }

    func completed() {
        connection.carries(nil, until: engine.idleDeadline)
        let phase = phase.withLock { $0 }
        if case .fresh = phase { return }
        engine.traffic.requestEnded()
        guard case .sending(let status) = phase else { return }
        engine.settings.onAnswer?(status, began.duration(to: .now))
    }

    // MARK: What is done about it

    private func perform(_ step: Intake.Step) -> MHD_Result {
        switch step {
        case .readOn: return .YES
        case .handle(let request): return work(on: request)
        case .answer(let problem): return send(problem.response)
        case .refuse(let problem): return send(problem.response.closing)
        case .cut(let problem):
            handle.sendPastLibrary(problem.response.closing)
            return .NO
        }
    }

    /// Runs the handler on this thread for as long as it does not wait; only then the connection
    /// is suspended, which costs as much as the request itself.
    private func work(on request: Request) -> MHD_Result {
        phase.withLock { $0 = .working }
        // `answered` waits for it, and `giveUp` after the deadline: see there.
        let task = Task.immediate {
            if self.answered(await self.engine.handler(request)) { self.resume() }
        }
        if let response = answer { return send(response) }
        guard engine.traffic.maySuspend() else {
            task.cancel()
            return send(Problem.late.response)
        }
        handle.suspend()
        let isAnswered = phase.withLock { phase in
            guard case .working = phase else { return true }
            phase = .suspended(task)
            return false
        }
        if isAnswered { resume() }
        return .YES
    }

    private var answer: Response? {
        phase.withLock { phase in
            if case .answered(let response) = phase { response } else { nil }
        }
    }

    private func send(_ response: Response) -> MHD_Result {
        let response = engine.traffic.phase == .serving ? response : response.closing
        connection.extend(to: engine.requestDeadline)
        phase.withLock { $0 = .sending(status: response.status) }
        return handle.queue(response)
    }

    // MARK: Answers from other threads

    /// Takes the handler's answer; true if the caller must resume the connection.
    private func answered(_ response: Response) -> Bool {
        phase.withLock { phase in
            switch phase {
            case .working:
                phase = .answered(response)
                return false
            case .suspended:
                phase = .answered(response)
                return true
            case .fresh, .reading, .answered, .sending:
                return false
            }
        }
    }

    /// Answers in the handler's place if the connection waits for it; its own answer is dropped.
    func giveUp() -> Bool {
        let task = phase.withLock { phase -> Task<Void, Never>? in
            guard case .suspended(let task) = phase else { return nil }
            phase = .answered(Problem.late.response)
            return task
        }
        guard let task else { return false }
        task.cancel()
        resume()
        return true
    }

    private func resume() {
        handle.resume()
        engine.traffic.resumed()
    }
}
