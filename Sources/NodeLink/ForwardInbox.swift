internal import CCurl
internal import HTTPServer
internal import Isolation

/// What other threads leave for the forwarder's thread.
///
/// It is bounded by the bounds of requests and streams: each leaves at most its sending, its end,
/// and one word that there is room again.
final class ForwardInbox: Sendable {
    enum Work: Sendable {
        case send(OutgoingRequest)
        /// Nobody waits for this transfer any more.
        case drop(UInt64)
        /// The client of this stream has taken what it had.
        case readOn(UInt64)
        case stop
    }

    private enum State {
        case open([Work])
        case ended
    }

    private let state = Locked(State.open([]))
    /// libcurl's multi handle. Only the forwarder's thread may use it, except to be woken.
    private let multi: UInt

    init(waking multi: UnsafeMutableRawPointer) { self.multi = UInt(bitPattern: multi) }

    /// Returns whether the thread will do it.
    @discardableResult
    func post(_ work: Work) -> Bool {
        state.withLock { state in
            guard case .open(var list) = state else { return false }
            // The array needs a unique owner, or appending copies it.
            state = .ended
            list.append(work)
            state = .open(list)
            // Under the lock: after `end` the handle may be gone.
            if list.count == 1 { curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi)) }
            return true
        }
    }

    func take() -> [Work] {
        state.withLock { state in
            guard case .open(let list) = state else { return [] }
            state = .open([])
            return list
        }
    }

    /// Accepts nothing more; returns what is left.
    func end() -> [Work] {
        state.withLock { state in
            guard case .open(let list) = state else { return [] }
            state = .ended
            return list
        }
    }
}

/// A request on its way to the forwarder's thread.
struct OutgoingRequest: Sendable {
    let id: UInt64
    let request: Request
    let address: NodeAddress
    let hop: Hop
    /// Resumed exactly once.
    let continuation: CheckedContinuation<Result<Response, ForwardFault>, Never>
}
