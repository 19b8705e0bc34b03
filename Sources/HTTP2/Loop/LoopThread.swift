internal import Isolation

/// A thread with an event loop and an engine confined to it. Other threads reach the engine by
/// posting closures.
package final class LoopThread<Engine>: Sendable {
    package typealias Work = @Sendable (Engine) -> Void

    /// Whether the work was posted.
    package enum Posting: Sendable {
        case accepted
        /// The loop has ended: the work will not run.
        case closed
    }

    private enum State {
        case open(inbox: [Work], completions: [@Sendable () -> Void])
        case ended
    }

    private let state = Locked(State.open(inbox: [], completions: []))
    private let wakeup: Wakeup

    /// Starts the thread and runs `make` there; the thread owns its captures.
    package init(make: sending @escaping (EventLoop) -> Engine) throws(LoopError) {
        wakeup = try Wakeup()
        let poller = try EventLoop.makePoller(woken: wakeup)
        let body = { [self] in
            for completion in run(EventLoop(poller: poller, wakeup: wakeup), make: make) {
                completion()
            }
        }
        try DetachedThread.start(body).get()
    }

    /// Runs `work` on the engine's thread, in the order of posting.
    @discardableResult
    package func post(_ work: @escaping Work) -> Posting {
        let wasEmpty: Bool? = state.withLock { state in
            guard case .open(var inbox, let completions) = state else { return nil }
            // The array needs a unique owner, or appending copies it.
            state = .ended
            inbox.append(work)
            state = .open(inbox: inbox, completions: completions)
            return inbox.count == 1
        }
        guard let wasEmpty else { return .closed }
        if wasEmpty { wakeup.signal() }
        return .accepted
    }

    /// Calls `completion` when the thread has closed everything, or at once if it already has.
    package func whenEnded(_ completion: @escaping @Sendable () -> Void) {
        let hasEnded: Bool = state.withLock { state in
            guard case .open(let inbox, var completions) = state else { return true }
            completions.append(completion)
            state = .open(inbox: inbox, completions: completions)
            return false
        }
        if hasEnded { completion() }
    }

    /// Runs the thread. Returns the callbacks to make after engine and loop are released.
    private func run(
        _ loop: EventLoop, make: (EventLoop) -> Engine
    ) -> [@Sendable () -> Void] {
        let engine = make(loop)
        loop.onWake = { [unowned self] in
            for work in takeInbox() { work(engine) }
        }
        loop.run()
        loop.onWake = {}
        let (rest, completions) = end()
        for work in rest { work(engine) }
        loop.close()
        return completions
    }

    private func takeInbox() -> [Work] {
        state.withLock { state in
            guard case .open(let inbox, let completions) = state else { return [] }
            state = .open(inbox: [], completions: completions)
            return inbox
        }
    }

    /// Refuses further posting.
    private func end() -> (rest: [Work], completions: [@Sendable () -> Void]) {
        state.withLock { state in
            guard case .open(let inbox, let completions) = state else { return ([], []) }
            state = .ended
            return (inbox, completions)
        }
    }
}
