internal import Isolation

/// A request passed to its handler, and the handler's response; or the head of one whose body may
/// come only when the application admits it: the library calls again after the suspension, before
/// it looks for the body.
///
/// The threads of the library, the handler, the watchdog and the shutdown meet in `phase`. The
/// thread that moves it out of `suspended` resumes the connection, so this happens exactly once.
final class WaitingRequest: Sendable {
    /// How much of the request has arrived.
    enum Extent: Sendable {
        case whole, head
    }

    /// What the connection does next.
    enum Outcome: Sendable {
        case respond(Response)
        /// The head is admitted.
        case readBody
    }

    private enum Phase {
        /// The handler runs, and the library's thread still waits for it.
        case working
        /// The handler runs, and the connection is suspended.
        case suspended(Task<Void, Never>)
        case decided(Outcome)
        /// The outcome was taken, or is no longer needed.
        case over
    }

    private let extent: Extent
    private let core: ServerCore
    private let handle: MHDConnection
    private let phase = Locked(Phase.working)

    init(_ extent: Extent, _ core: ServerCore, _ handle: MHDConnection) {
        self.extent = extent
        self.core = core
        self.handle = handle
    }

    // MARK: On the library's thread

    /// Runs the handler on this thread until it waits; then suspends the connection, which costs as
    /// much as the request itself. Nil: it is suspended.
    func run(_ request: Request, on watch: ConnectionWatch) -> Outcome? {
        // `handled` waits for it, and `giveUp` cancels it after the deadline.
        let task = Task.immediate {
            let outcome = await self.outcome(of: request)
            self.core.traffic.handled()
            if self.handled(outcome) { self.resume() }
        }
        if let outcome = takeOutcome() { return outcome }
        guard core.traffic.maySuspend() else {
            phase.withLock { $0 = .over }
            task.cancel()
            return .respond(Problem.late.response)
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

    private func outcome(of request: Request) async -> Outcome {
        switch extent {
        case .whole: .respond(await core.handler(request))
        case .head: await core.admission?(request).map(Outcome.respond) ?? .readBody
        }
    }

    /// Takes the outcome, if available; returns it only once.
    func takeOutcome() -> Outcome? {
        phase.withLock { phase in
            guard case .decided(let outcome) = phase else { return nil }
            phase = .over
            return outcome
        }
    }

    // MARK: On other threads

    /// Stores the handler's outcome; returns true if the caller must resume the connection.
    private func handled(_ outcome: Outcome) -> Bool {
        phase.withLock { phase in
            switch phase {
            case .working:
                phase = .decided(outcome)
                return false
            case .suspended:
                phase = .decided(outcome)
                return true
            case .decided, .over:
                return false
            }
        }
    }

    /// Responds in the handler's place if the connection waits for it; drops the handler's
    /// response.
    func giveUp() -> Bool {
        let task = phase.withLock { phase -> Task<Void, Never>? in
            guard case .suspended(let task) = phase else { return nil }
            phase = .decided(.respond(Problem.late.response))
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
