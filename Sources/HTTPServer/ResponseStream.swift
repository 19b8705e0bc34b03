internal import Isolation

/// The body of a response that is made while it is sent.
///
/// The server asks the source for bytes once the client has taken all earlier ones, so nothing is
/// queued for a slow client. A source without bytes waits: its connection is suspended, without a
/// thread, until `wake`.
package final class ResponseStream: Sendable {
    /// What the source has for the client.
    package enum Step: Sendable {
        /// One byte or more.
        case bytes([UInt8])
        /// Nothing before `wake`.
        case wait
        case end
    }

    /// Called on a server's thread; it must not block.
    package typealias Source = @Sendable () -> Step

    private enum Phase {
        /// The source was asked, or the client has yet to take bytes.
        case busy
        /// As `busy`, but the source has more.
        case woken
        case suspended(any SuspendedReader)
        case ended
    }

    /// After how many seconds the server ends the stream if it waits; `nil`: never.
    let secondsMax: Int?
    private let source: Source
    private let closed: @Sendable () -> Void
    private let phase = Locked(Phase.busy)
    /// The connection; nil before it sends.
    private let watch = Locked<ConnectionWatch?>(nil)

    /// `closed` is called once, when the response is over or was dropped, on any thread. A stream
    /// that waits is cut off after `secondsMax`; `nil`: it may wait for ever.
    package init(
        secondsMax: Int? = nil, _ source: @escaping Source, closed: @escaping @Sendable () -> Void
    ) {
        self.secondsMax = secondsMax
        self.source = source
        self.closed = closed
    }

    /// Asks the source again.
    package func wake() { enter(.woken) }

    /// Ends the response, once the client has taken the bytes that are under way.
    package func end() { enter(.ended) }

    /// Ends the response and closes its connection at once, for a client that reads too slowly.
    package func cut() {
        enter(.ended)
        watch.withLock { $0 }?.cut()
    }

    /// Notes the connection that sends the response.
    func begin(on watch: ConnectionWatch) { self.watch.withLock { $0 = watch } }

    private func enter(_ new: Phase) {
        let suspended = phase.withLock { phase -> (any SuspendedReader)? in
            let old = phase
            if case .ended = old { return nil }
            phase = new
            guard case .suspended(let reader) = old else { return nil }
            return reader
        }
        suspended?.resume()
    }

    // MARK: On the server's thread

    func next() -> Step {
        let isOver = phase.withLock { phase in
            if case .ended = phase { return true }
            phase = .busy
            return false
        }
        return isOver ? .end : source()
    }

    /// Records the suspension. Returns whether it lasts: not if the stream was woken meanwhile.
    func suspended(_ reader: any SuspendedReader) -> Bool {
        phase.withLock { phase in
            guard case .busy = phase else { return false }
            phase = .suspended(reader)
            return true
        }
    }

    fileprivate func close() {
        phase.withLock { $0 = .ended }
        closed()
    }
}

/// The response that sends a stream. A stream whose response no longer exists is closed.
final class StreamBody: Sendable {
    let stream: ResponseStream

    init(_ stream: ResponseStream) { self.stream = stream }

    deinit { stream.close() }
}

/// What waits until its stream is woken or ended; it is resumed once.
protocol SuspendedReader: Sendable {
    func resume()
}

/// A connection that the library does not look at until it is resumed.
struct SuspendedConnection: SuspendedReader {
    let handle: MHDConnection
    let traffic: Traffic

    func resume() {
        handle.resume()
        traffic.resumed()
    }
}
