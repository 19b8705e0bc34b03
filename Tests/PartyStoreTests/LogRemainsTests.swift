import Testing

@testable import PartyStore

/// PR10: which whole state is left under a damaged log.
@Suite struct LogRemainsTests {
    /// A frame: its page, the pages of the database if it ends a transaction, and whether the file
    /// has the page like this.
    private typealias Row = (page: UInt32, pages: UInt32, isInFile: Bool)

    private func state(damaged: Int, _ rows: [Row]) -> LogRemains.State? {
        var remains = LogRemains(damaged: damaged)
        for (index, row) in rows.enumerated() {
            var bytes = [UInt8](repeating: 0, count: LogFrame.headBytes)
            for byte in 0..<4 {
                bytes[byte] = UInt8(truncatingIfNeeded: row.page >> (24 - 8 * UInt32(byte)))
                bytes[4 + byte] = UInt8(truncatingIfNeeded: row.pages >> (24 - 8 * UInt32(byte)))
            }
            bytes.withUnsafeBytes {
                remains.take(LogFrame(number: index + 1, bytes: $0), isInFile: row.isInFile)
            }
        }
        return remains.state
    }

    @Test("without a checkpoint behind the damage, the state before it")
    func older() {
        #expect(state(damaged: 2, [(1, 5, true), (2, 5, false), (1, 5, false)]) == .validPart)
        #expect(state(damaged: 0, [(1, 5, false), (2, 5, false)]) == .validPart)
        #expect(state(damaged: 1, []) == .validPart)
    }

    @Test("after a whole checkpoint, the newest commit that the file has")
    func newer() {
        // Up to frame 3, or to frame 4: the older versions of page 1 are not in the file.
        #expect(
            state(damaged: 2, [(1, 5, false), (2, 5, false), (1, 5, true), (2, 5, false)]) == .file)
        #expect(
            state(damaged: 2, [(1, 5, false), (2, 5, false), (1, 5, false), (2, 5, true)]) == nil)
        #expect(state(damaged: 0, [(1, 0, true), (2, 5, true), (1, 5, false)]) == .file)
    }

    @Test("no state inside a transaction is whole")
    func insideTransaction() {
        // Page 4 is not in the file, and belongs to the same transaction.
        let log: [Row] = [(1, 5, true), (2, 5, false), (3, 0, true), (4, 5, false)]
        #expect(state(damaged: 2, log) == nil)
    }

    @Test("after an interrupted checkpoint, the valid part if it has all newer pages")
    func interrupted() {
        let newer: [Row] = [(2, 5, false), (1, 0, true), (3, 5, false)]
        // Page 2, that of the damaged frame, may be in the file.
        #expect(state(damaged: 2, [(1, 5, false)] + newer) == nil)
        #expect(state(damaged: 3, [(2, 0, false), (1, 5, false)] + newer) == .validPart)
        // An unfinished transaction is no valid part; a page beyond the database's end is cut off.
        #expect(state(damaged: 3, [(2, 0, false), (1, 0, false)] + newer) == nil)
        #expect(
            state(damaged: 2, [(1, 1, false), (2, 2, false), (2, 0, true), (1, 2, false)])
                == .validPart)
    }
}
