/// A frame of the write-ahead log: a head of 24 bytes and a page.
struct LogFrame {
    static let headBytes = 24
    /// The head's first eight bytes and the page have a checksum; the salts have none.
    private static let summedHeadBytes = 8

    /// Counts from 1.
    let number: Int
    let bytes: UnsafeRawBufferPointer

    var page: UInt32 { bytes.bigEndian(at: 0) }
    /// Whether the frame is the last one of its transaction.
    var isCommit: Bool { pagesAfterCommit != 0 }
    /// The size of the database in pages, if the frame is the last one of its transaction; else 0.
    var pagesAfterCommit: UInt32 { bytes.bigEndian(at: 4) }
    /// The generation of the log: every restart of the log has other salts.
    var salts: UInt64 { UInt64(bytes.bigEndian(at: 8)) << 32 | UInt64(bytes.bigEndian(at: 12)) }
    var storedChecksum: LogChecksum { LogChecksum(bytes, at: 16) }

    func hasPage(_ page: [UInt8]) -> Bool { bytes[Self.headBytes...].elementsEqual(page) }

    /// Whether the head lies in one sector of a disk, so that a power cut cannot tear it.
    var hasHeadInOneSector: Bool {
        let position = LogHeader.bytes + (number - 1) * bytes.count
        return position % Self.sectorBytes <= Self.sectorBytes - Self.headBytes
    }

    private static let sectorBytes = 512

    /// Returns the checksum that the frame must have behind one with the checksum `previous`.
    func checksum(after previous: LogChecksum, _ order: LogChecksum.Order) -> LogChecksum {
        var checksum = previous
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<Self.summedHeadBytes]), order)
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[Self.headBytes...]), order)
        return checksum
    }

    /// Returns whether the frame, apart from its salts, is what was written behind `previous`.
    func follows(_ previous: LogChecksum, _ order: LogChecksum.Order) -> Bool {
        page != 0 && checksum(after: previous, order) == storedChecksum
    }

    /// Returns whether the frame ends a transaction when one bit of it is flipped such that it then
    /// follows `previous`. Nothing but a flipped bit looks so.
    func isCommitWithOneBitFlipped(
        after previous: LogChecksum, _ order: LogChecksum.Order
    ) -> Bool {
        var copy = [UInt8](bytes)
        // A head in one sector is whole: only its mark of a commit can be wrong.
        let summed =
            hasHeadInOneSector
            ? [4..<Self.summedHeadBytes, 0..<0].joined()
            : [0..<Self.summedHeadBytes, Self.headBytes..<copy.count].joined()
        for byte in summed {
            for bit in 0..<8 {
                copy[byte] ^= 1 << UInt8(bit)
                let isCommit = copy.withUnsafeBytes {
                    let frame = LogFrame(number: number, bytes: $0)
                    return frame.isCommit && frame.follows(previous, order)
                }
                if isCommit { return true }
                copy[byte] ^= 1 << UInt8(bit)
            }
        }
        return false
    }
}
