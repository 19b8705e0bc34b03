/// A peer's GOAWAY frame: it accepts no more requests on a connection (RFC 9113 section 6.8).
package struct GoAway: Hashable, Sendable {
    /// An HTTP/2 error code; 0: no error.
    package let errorCode: UInt32
    /// Requests above this stream were not processed.
    package let lastStream: Int32
    /// The peer's reason: APNs sends JSON with a `reason`.
    package let debugData: [UInt8]

    private enum Limit {
        /// The limit of debug data; a reason is shorter.
        static let debugBytesMax = 512
        /// The limit of quoted data, for logs.
        static let quotedBytesMax = 200
    }

    init(errorCode: UInt32, lastStream: Int32, debugData: UnsafeRawBufferPointer) {
        self.errorCode = errorCode
        self.lastStream = lastStream
        self.debugData = Array(debugData.prefix(Limit.debugBytesMax))
    }
}

extension GoAway: CustomStringConvertible {
    /// A short, printable description for logs, because the peer chooses the text.
    package var description: String {
        let quoted = debugData.prefix(Limit.quotedBytesMax).filter { $0 >= 32 && $0 < 127 }
        let words = String(decoding: quoted, as: UTF8.self)
        return "GOAWAY with error \(errorCode) after stream \(lastStream): \(words)"
    }
}
