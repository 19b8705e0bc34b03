internal import HTTPServer
internal import Isolation

/// A stream of another node, between the forwarder's thread, which receives it, and the thread of
/// the server, which sends it on.
///
/// It keeps at most `bytesMax` and one piece of libcurl's for a client that reads slowly; then
/// libcurl reads no more, and the other node's own bounds apply.
final class RelayedStream: Sendable {
    enum Ending: Sendable {
        case complete
        /// The other node or the connection to it is gone: the client's connection is closed, so
        /// that it does not take the end for the stream's own.
        case broken
    }

    private struct State {
        var bytes: [UInt8] = []
        /// Whether libcurl was told to wait.
        var isFull = false
        var ending: Ending?
        /// The client's side; nil before it and after it.
        var stream: ResponseStream?
    }

    private let id: UInt64
    private let bytesMax: Int
    private let inbox: ForwardInbox
    private let state = Locked(State())

    init(id: UInt64, bytesMax: Int, inbox: ForwardInbox) {
        self.id = id
        self.bytesMax = bytesMax
        self.inbox = inbox
    }

    /// Makes the client's side. When it is over, so is the transfer.
    func makeStream() -> ResponseStream {
        let stream = ResponseStream {
            self.next()
        } closed: {
            // This also breaks the cycle of stream and source.
            self.state.withLock { $0.stream = nil }
            self.inbox.post(.drop(self.id))
        }
        state.withLock { $0.stream = stream }
        return stream
    }

    // MARK: On the forwarder's thread

    /// Takes bytes; returns whether there was room.
    func take(_ new: UnsafeRawBufferPointer) -> Bool {
        let (hadRoom, stream) = state.withLock { state -> (Bool, ResponseStream?) in
            guard state.bytes.count < bytesMax else {
                state.isFull = true
                return (false, nil)
            }
            state.bytes.append(contentsOf: new)
            return (true, state.stream)
        }
        stream?.wake()
        return hadRoom
    }

    func finish(_ ending: Ending) {
        let stream = state.withLock { state in
            state.ending = ending
            return state.stream
        }
        stream?.wake()
    }

    // MARK: On the server's thread

    private func next() -> ResponseStream.Step {
        var wasFull = false
        var broken: ResponseStream?
        let step = state.withLock { state -> ResponseStream.Step in
            if !state.bytes.isEmpty {
                wasFull = state.isFull
                state.isFull = false
                defer { state.bytes = [] }
                return .bytes(state.bytes)
            }
            guard let ending = state.ending else { return .wait }
            if case .broken = ending { broken = state.stream }
            return .end
        }
        if wasFull { inbox.post(.readOn(id)) }
        broken?.cut()
        return step
    }
}
