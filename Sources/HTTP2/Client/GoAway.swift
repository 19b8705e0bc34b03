/// A peer's word that it takes no more requests on a connection (RFC 9113 section 6.8).
package struct GoAway: Hashable, Sendable {
    /// An HTTP/2 error code; 0: nothing is wrong.
    package let errorCode: UInt32
    /// Requests above this stream were not looked at.
    package let lastStream: Int32
    /// Why, in the peer's words: APNs sends JSON with a `reason`.
    package let debugData: [UInt8]

    private enum Limit {
        /// More than this is nobody's reason.
        static let debugBytesMax = 512
        /// What ends in a log is short.
        static let quotedBytesMax = 200
    }

    init(errorCode: UInt32, lastStream: Int32, debugData: UnsafeRawBufferPointer) {
        self.errorCode = errorCode
        self.lastStream = lastStream
        self.debugData = Array(debugData.prefix(Limit.debugBytesMax))
    }
}

extension GoAway: CustomStringConvertible {
    /// For a log: short, and printable only, since it is the peer who writes it.
    package var description: String {
        let quoted = debugData.prefix(Limit.quotedBytesMax).filter { $0 >= 32 && $0 < 127 }
        let words = String(decoding: quoted, as: UTF8.self)
        return "GOAWAY with error \(errorCode) after stream \(lastStream): \(words)"
    }
}
