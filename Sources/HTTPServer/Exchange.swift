internal import Isolation

/// A request passed to its handler, and the handler's response.
///
/// The threads of the library, the handler, the watchdog and the shutdown meet in `phase`. The
/// thread that moves it out of `suspended` resumes the connection, so this happens exactly once.
final class Exchange: Sendable {
    private enum Phase {
        /// The handler runs, and the library's thread still waits for it.
        case working
        /// The handler runs, and the connection is suspended.
        case suspended(Task<Void, Never>)
        case answered(Response)
        /// The response was taken, or is no longer needed.
        case over
    }

    private let engine: Engine
    private let handle: MHDConnection
    private let phase = Locked(Phase.working)

    init(_ engine: Engine, _ handle: MHDConnection) {
        self.engine = engine
        self.handle = handle
    }

    // MARK: On the library's thread

    /// Runs the handler on this thread until it waits; then suspends the connection, which costs as
    /// much as the request itself. Nil: it is suspended.
    func answer(to request: Request, on lifeline: Lifeline) -> Response? {
        // `answered` waits for it, and `giveUp` cancels it after the deadline.
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

    /// Takes the response, if available; returns it only once.
    func taken() -> Response? {
        phase.withLock { phase in
            guard case .answered(let response) = phase else { return nil }
            phase = .over
            return response
        }
    }

    // MARK: On other threads

    /// Stores the handler's response; returns true if the caller must resume the connection.
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

    /// Responds in the handler's place if the connection waits for it; drops the handler's
    /// response.
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
