internal import Glibc

/// Where an executable's own output goes.
package enum Terminal {
    /// Writes to standard output, as it is.
    package static func print(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

    /// Writes a line to standard error.
    package static func complain(_ line: String) { logLine(Array((line + "\n").utf8)) }

    /// Writes a log line, with its end, to standard error.
    package static func logLine(_ bytes: [UInt8]) { write(bytes, to: STDERR_FILENO) }

    /// One write for all bytes, where the descriptor takes them at once, so that lines of several
    /// threads do not mix. Ignores failures: a closed pipe is no reason to stop.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }
}
