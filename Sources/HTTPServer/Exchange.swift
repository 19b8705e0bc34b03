internal import Isolation

/// A request that its handler has, and the handler's answer.
///
/// The library's thread and the handler's, the watchdog's and the one that stops the server meet
/// in `phase`. The thread that moves it out of `suspended` resumes the connection, so this happens
/// exactly once.
final class Exchange: Sendable {
    private enum Phase {
        /// The handler runs, and the library's thread still waits for it.
        case working
        /// The handler runs, and the library has put the connection aside.
        case suspended(Task<Void, Never>)
        case answered(Response)
        /// The answer has been taken, or none is wanted any more.
        case over
    }

    private let engine: Engine
    private let handle: MHDConnection
    private let phase = Locked(Phase.working)

    init(_ engine: Engine, _ handle: MHDConnection) {
        self.engine = engine
        self.handle = handle
    }

    // MARK: What the library's thread does

    /// Runs the handler on this thread for as long as it does not wait; only then the connection
    /// is suspended, which costs as much as the request itself. Nil: it is suspended.
    func answer(to request: Request, on lifeline: Lifeline) -> Response? {
        // `answered` waits for it, and `giveUp` after the deadline: see there.
        let task = Task.immediate {
            let response = await self.engine.handler(request)
            self.engine.traffic.handled()
            if self.answered(response) { self.resume() }
        }
        if let response = taken() { return response }
        guard engine.traffic.maySuspend() else {
            phase.withLock { $0 = .over }
            task.cancel()
            return Problem.late.response
        }
        lifeline.carries(self)
        handle.suspend()
        let isAnswered = phase.withLock { phase in
            guard case .working = phase else { return true }
            phase = .suspended(task)
            return false
        }
        if isAnswered { resume() }
        return nil
    }

    /// The answer, if it is there: it is given once.
    func taken() -> Response? {
        phase.withLock { phase in
            guard case .answered(let response) = phase else { return nil }
            phase = .over
            return response
        }
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
            case .answered, .over:
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
