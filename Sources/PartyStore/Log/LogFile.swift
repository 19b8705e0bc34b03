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
        let pageBytes: Int
    }

    let path: String
    var disk = Disk.machine

    /// Returns the damage of the log; `nil`: there is none, or no log.
    ///
    /// The log must not be restarted meanwhile: its old frames would look like later ones.
    func damage() throws(FileFailure) -> Damage? {
        let descriptor = disk.calls.open(path, O_RDONLY | O_CLOEXEC, mode: 0)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFailure("opened", path)
        }
        defer { disk.calls.close(descriptor) }
        var head = [UInt8](repeating: 0, count: LogHeader.bytes)
        guard try read(descriptor, at: 0, into: &head) == head.count else { return nil }
        let header = head.withUnsafeBytes(LogHeader.init)
        for size in header.isValid ? [header.pageBytes] : LogHeader.pageSizes {
            var walk = LogWalk(header)
            try forEachFrame(descriptor, pageBytes: size) { walk.take($0) }
            guard walk.isDamaged, let frame = walk.firstInvalid else { continue }
            return Damage(
                frame: frame, transactions: walk.commitsBehind, salts: header.salts,
                pageBytes: size)
        }
        return nil
    }

    /// Returns which whole state of the database at `file` is left; `nil`: none.
    func remains(of file: String, _ damage: Damage) throws(FileFailure) -> LogRemains.State? {
        let descriptors = (
            log: disk.calls.open(path, O_RDONLY | O_CLOEXEC, mode: 0),
            file: disk.calls.open(file, O_RDONLY | O_CLOEXEC, mode: 0)
        )
        defer {
            disk.calls.close(descriptors.log)
            disk.calls.close(descriptors.file)
        }
        guard descriptors.log >= 0 else { throw FileFailure("opened", path) }
        guard descriptors.file >= 0 else { throw FileFailure("opened", file) }
        var remains = LogRemains(damaged: damage.frame)
        // A damaged header does not say them, but the frames behind it.
        var salts = damage.frame == 0 ? nil : Optional(damage.salts)
        var page = [UInt8](repeating: 0, count: damage.pageBytes)
        try forEachFrame(descriptors.log, pageBytes: damage.pageBytes) {
            frame throws(FileFailure) in
            salts = salts ?? frame.salts
            guard frame.salts == salts || frame.number == damage.frame, frame.page > 0 else {
                return
            }
            let place = (Int(frame.page) - 1) * page.count
            let count = try read(descriptors.file, at: place, into: &page)
            remains.take(frame, isInFile: count == page.count && frame.hasPage(page))
        }
        return remains.state
    }

    /// Drops all of the log.
    func empty() throws(FileFailure) {
        let descriptor = disk.calls.open(path, O_WRONLY | O_CLOEXEC, mode: 0)
        guard descriptor >= 0 else { throw FileFailure("opened", path) }
        defer { disk.calls.close(descriptor) }
        guard disk.calls.truncate(descriptor, to: 0) == 0, disk.calls.sync(descriptor) == 0 else {
            throw FileFailure("written", path)
        }
    }

    private func forEachFrame(
        _ descriptor: Int32, pageBytes: Int, _ take: (LogFrame) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        let frameBytes = LogFrame.headBytes + pageBytes
        var chunk = [UInt8](repeating: 0, count: max(Self.chunkBytes / frameBytes, 1) * frameBytes)
        var position = LogHeader.bytes
        var number = 1
        while true {
            let count = try read(descriptor, at: position, into: &chunk)
            let failure = chunk.withUnsafeBytes { bytes -> FileFailure? in
                for start in stride(from: 0, through: count - frameBytes, by: frameBytes) {
                    let frame = bytes[start..<start + frameBytes]
                    do throws(FileFailure) {
                        try take(LogFrame(number: number, bytes: .init(rebasing: frame)))
                    } catch {
                        return error
                    }
                    number += 1
                }
                return nil
            }
            if let failure { throw failure }
            guard count == chunk.count else { return }
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
                disk.calls.read(
                    descriptor, into: .init(rebasing: $0[done...]), at: Int64(position + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure("read", path) }
            if count == 0 { break }
            done += count
        }
        return done
    }
}
