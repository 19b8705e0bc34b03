/// Walks the frames of a write-ahead log and tells damage from a power cut.
///
/// SQLite uses a log up to its first invalid frame, and drops the rest without a word. With
/// `synchronous=FULL` every transaction is synced before the next one begins, so a power cut can
/// tear only the last one. Therefore a frame that continues the checksum of a *commit* frame proves
/// that this commit was on the disk with all that is before it, and an invalid frame up to there is
/// damage.
///
/// Checksums continue each other, so frames behind an invalid one are checked from the checksum
/// that is stored in the frame before them. Frames of earlier generations have other salts. Frames
/// of a transaction that was rolled back have none behind their commit that continues it.
struct LogWalk {
    private let order: LogChecksum.Order
    /// `nil`: the header is damaged; the frames of one generation still have the same.
    private let salts: UInt64?
    private var chain: LogChecksum
    private var last: Last?

    /// The first invalid frame, from 1; 0: the header.
    private(set) var firstInvalid: Int?
    /// Whether a power cut cannot explain what is behind the first invalid frame.
    private(set) var isDamaged = false
    /// The transactions found behind the first invalid frame; there may be more.
    private(set) var commitsBehind = 0

    /// What is known of the frame, or the header, before the next frame.
    private struct Last {
        let storedChecksum: LogChecksum
        /// That of its own bytes, if what is before it is known.
        var ownChecksum: LogChecksum?
        /// `nil`: it is the header.
        let salts: UInt64?
        let commit: Commit
    }

    /// Whether a frame ends a transaction.
    private enum Commit {
        case yes, no
        /// The frame is invalid. Its head may be right; `isFlipped` finds out whether one flipped
        /// bit made a commit frame invalid.
        case unknown(claimed: Bool, hasWholeHead: Bool, isFlipped: () -> Bool)
    }

    /// How a frame continues the one before it.
    private enum Link {
        case stored, own
    }

    init(_ header: LogHeader) {
        order = header.order
        chain = header.storedChecksum
        salts = header.isValid ? header.salts : nil
        guard !header.isValid else { return }
        firstInvalid = 0
        last = Last(
            storedChecksum: header.storedChecksum, ownChecksum: header.checksum, salts: nil,
            commit: .no)
    }

    /// Takes the next frame.
    mutating func take(_ frame: LogFrame) {
        guard firstInvalid == nil else { return takeBehind(frame) }
        let follows = frame.follows(chain, order)
        if follows, frame.salts == salts {
            chain = frame.storedChecksum
            return
        }
        firstInvalid = frame.number
        last = Last(
            storedChecksum: frame.storedChecksum, ownChecksum: frame.checksum(after: chain, order),
            salts: frame.salts, commit: follows ? known(frame) : claimed(frame, after: chain))
    }

    private mutating func takeBehind(_ frame: LogFrame) {
        guard let last else { return }
        let link = link(of: frame, to: last)
        if let link {
            // Every frame is written after the sync of the header.
            if salts == nil || proves(last.commit, link) { isDamaged = true }
            if frame.isCommit { commitsBehind += 1 }
        }
        self.last = Last(
            storedChecksum: frame.storedChecksum, salts: frame.salts,
            commit: link == nil ? claimed(frame, after: nil) : known(frame))
    }

    private func link(of frame: LogFrame, to last: Last) -> Link? {
        guard frame.salts == salts ?? last.salts ?? frame.salts else { return nil }
        if frame.follows(last.storedChecksum, order) { return .stored }
        guard let own = last.ownChecksum, frame.follows(own, order) else { return nil }
        return .own
    }

    private func known(_ frame: LogFrame) -> Commit { frame.isCommit ? .yes : .no }

    private func claimed(_ frame: LogFrame, after previous: LogChecksum?) -> Commit {
        let bytes = previous.map { _ in [UInt8](frame.bytes) }
        let (number, order) = (frame.number, order)
        return .unknown(
            claimed: frame.isCommit,
            hasWholeHead: frame.hasHeadInOneSector && frame.salts == salts
        ) {
            guard let previous, let bytes else { return false }
            return bytes.withUnsafeBytes {
                LogFrame(number: number, bytes: $0)
                    .isCommitWithOneBitFlipped(after: previous, order)
            }
        }
    }

    /// Returns whether a frame that continues another proves that the other was synced as a commit.
    private func proves(_ commit: Commit, _ link: Link) -> Bool {
        switch commit {
        case .yes: true
        case .no: false
        case .unknown(let claimed, let hasWholeHead, let isFlipped):
            // Continued by its own bytes, only its stored checksum is wrong.
            claimed && (link == .own || hasWholeHead) || isFlipped()
        }
    }
}
