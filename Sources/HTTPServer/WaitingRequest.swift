internal import Isolation

/// A request passed to its handler, and the handler's response.
///
/// The threads of the library, the handler, the watchdog and the shutdown meet in `phase`. The
/// thread that moves it out of `suspended` resumes the connection, so this happens exactly once.
final class WaitingRequest: Sendable {
    private enum Phase {
        /// The handler runs, and the library's thread still waits for it.
        case working
        /// The handler runs, and the connection is suspended.
        case suspended(Task<Void, Never>)
        case responded(Response)
        /// The response was taken, or is no longer needed.
        case over
    }

    private let core: ServerCore
    private let handle: MHDConnection
    private let phase = Locked(Phase.working)

    init(_ core: ServerCore, _ handle: MHDConnection) {
        self.core = core
        self.handle = handle
    }

    // MARK: On the library's thread

    /// Runs the handler on this thread until it waits; then suspends the connection, which costs as
    /// much as the request itself. Nil: it is suspended.
    func respond(to request: Request, on watch: ConnectionWatch) -> Response? {
        // `handled` waits for it, and `giveUp` cancels it after the deadline.
        let task = Task.immediate {
            let response = await self.core.handler(request)
            self.core.traffic.handled()
            if self.handled(response) { self.resume() }
        }
        if let response = takeResponse() { return response }
        guard core.traffic.maySuspend() else {
            phase.withLock { $0 = .over }
            task.cancel()
            return Problem.late.response
        }
        watch.setWaiting(self)
        handle.suspend()
        let isHandled = phase.withLock { phase in
            guard case .working = phase else { return true }
            phase = .suspended(task)
            return false
        }
        if isHandled { resume() }
        return nil
    }

    /// Takes the response, if available; returns it only once.
    func takeResponse() -> Response? {
        phase.withLock { phase in
            guard case .responded(let response) = phase else { return nil }
            phase = .over
            return response
        }
    }

    // MARK: On other threads

    /// Stores the handler's response; returns true if the caller must resume the connection.
    private func handled(_ response: Response) -> Bool {
        phase.withLock { phase in
            switch phase {
            case .working:
                phase = .responded(response)
                return false
            case .suspended:
                phase = .responded(response)
                return true
            case .responded, .over:
                return false
            }
        }
    }

    /// Responds in the handler's place if the connection waits for it; drops the handler's
    /// response.
    func giveUp() -> Bool {
        let task = phase.withLock { phase -> Task<Void, Never>? in
            guard case .suspended(let task) = phase else { return nil }
            phase = .responded(Problem.late.response)
            return task
        }
        guard let task else { return false }
        task.cancel()
        resume()
        return true
    }

    private func resume() {
        handle.resume()
        core.traffic.resumed()
    }
}
