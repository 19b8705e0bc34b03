/// Reads a response that is a stream without a socket: what a server's thread does for a
/// connection. A stream whose pump is released is closed.
package final class StreamPump: Sendable {
    /// Takes the next bytes, and says whether it has room for more; `nil`: the response is over.
    package typealias Reader = @Sendable (_ bytes: [UInt8]?) -> Room

    package enum Room: Sendable {
        case some
        /// Nothing is read before the next `run`.
        case none
    }

    private struct Waiting: SuspendedReader {
        weak let pump: StreamPump?

        /// Not at once: a source may hold its lock while it wakes its stream.
        func resume() {
            // Nothing waits for it: it ends when the source has nothing more.
            Task { pump?.run() }
        }
    }

    private let body: StreamBody
    private let reader: Reader

    /// `nil`: the response is no stream.
    package init?(_ response: Response, _ reader: @escaping Reader) {
        guard let body = response.stream else { return nil }
        self.body = body
        self.reader = reader
    }

    /// Passes on what there is and what comes, until the reader has no room. Call it once to begin,
    /// and again when there is room, never twice at a time.
    package func run() {
        while true {
            switch body.stream.next() {
            case .bytes(let bytes): guard case .some = reader(bytes) else { return }
            case .wait: guard !body.stream.suspended(Waiting(pump: self)) else { return }
            case .end:
                _ = reader(nil)
                return
            }
        }
    }
}
