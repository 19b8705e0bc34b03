internal import Glibc

/// The write-ahead log beside a database, read without SQLite, which keeps silent about damage.
struct LogFile {
    /// Bytes read at a time.
    private static let chunkBytes = 1 << 20

    /// What is wrong with a log.
    struct Damage: Hashable {
        /// Counts from 1; 0: the header.
        let frame: Int
        /// The transactions found behind it; there may be more.
        let transactions: Int
        /// What distinguishes this log from others of the database.
        let salts: UInt64
    }

    let path: String

    /// Returns the damage of the log; `nil`: there is none, or no log.
    ///
    /// Nobody may restart the log meanwhile: its old frames would look like later ones.
    func damage() throws(FileFailure) -> Damage? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFailure("opened", path)
        }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: LogHeader.bytes)
        guard try read(descriptor, at: 0, into: &head) == head.count else { return nil }
        let header = head.withUnsafeBytes(LogHeader.init)
        for size in header.isValid ? [header.pageBytes] : LogHeader.pageSizes {
            let walk = try walk(descriptor, LogWalk(header), pageBytes: size)
            guard walk.isDamaged, let frame = walk.firstInvalid else { continue }
            return Damage(frame: frame, transactions: walk.commitsBehind, salts: header.salts)
        }
        return nil
    }

    private func walk(
        _ descriptor: Int32, _ walk: LogWalk, pageBytes: Int
    ) throws(FileFailure) -> LogWalk {
        var walk = walk
        let frameBytes = LogFrame.headBytes + pageBytes
        var chunk = [UInt8](repeating: 0, count: max(Self.chunkBytes / frameBytes, 1) * frameBytes)
        var position = LogHeader.bytes
        var number = 1
        while true {
            let count = try read(descriptor, at: position, into: &chunk)
            chunk.withUnsafeBytes { bytes in
                for start in stride(from: 0, through: count - frameBytes, by: frameBytes) {
                    let frame = bytes[start..<start + frameBytes]
                    walk.take(LogFrame(number: number, bytes: .init(rebasing: frame)))
                    number += 1
                }
            }
            guard count == chunk.count else { return walk }
            position += count
        }
    }

    /// Reads as much as there is, up to the buffer's size. Returns the number of bytes.
    private func read(
        _ descriptor: Int32, at position: Int, into buffer: inout [UInt8]
    ) throws(FileFailure) -> Int {
        var done = 0
        while done < buffer.count {
            let count = buffer.withUnsafeMutableBytes {
                pread(
                    descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
                    off_t(position + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure("read", path) }
            if count == 0 { break }
            done += count
        }
        return done
    }
}
