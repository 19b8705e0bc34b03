internal import ByteCoding
package import GameLogic
internal import PushPolicy

/// Changes that a shard passes to the writer together. They are encoded into one arena as they are
/// added, so that the writer only binds and steps.
package struct Batch: Sendable {
    /// The changed parties, in order; each party at most once.
    package private(set) var parties: [PartyID] = []
    var changes: [ChangeRow] = []
    var outcomes: [DataRow] = []
    var forgottenOutcomes: [Int64] = []
    private var arena = ByteWriter()
    /// Whether other servers may have sent letters to parties of the same shards: the result says
    /// whether there are some.
    package var looksForLetters = false

    package init() {}

    package var isEmpty: Bool {
        changes.isEmpty && outcomes.isEmpty && forgottenOutcomes.isEmpty
    }

    /// Whether rows are written that do not belong to a shard, so that it may wait for other nodes.
    package var hasFurtherRows: Bool { changes.contains { $0.further != nil } }

    /// What its further rows need.
    var locks: RowLocks {
        changes.reduce(.none) { $0 + ($1.further.map(RowLocks.init) ?? .none) }
    }

    /// Whether it waits until no other node writes what is no player's.
    package var takesTurn: Bool { changes.contains { $0.further?.takesTurn == true } }

    /// The size of what is written, in bytes, without what SQLite adds.
    package var bytes: Int { arena.count + outcomes.reduce(0) { $0 + $1.data.count } }

    /// Adds a party's change, which must be the only one of this party here.
    package mutating func add(_ commit: PartyCommit) { add(commit, FurtherRows(commit)) }

    /// Adds a party's change with its further rows.
    package mutating func add(_ commit: PartyCommit, _ further: FurtherRows?) {
        let stored = commit.stored
        let party = stored.key.number
        let awake: Int64 = commit.isAwake ? 1 : 0
        let start = arena.count
        arena.append(fixed: party)
        arena.append(fixed: stored.version)
        arena.append(fixed: awake)
        let id = append(lengthAndText: stored.id.rawValue)
        let inviteCode = append(lengthAndText: stored.inviteCode)
        let state = appended { PartyStateFormat.write(stored, to: &$0) }
        let change = ChangeRow(
            key: party, version: stored.version, awake: awake, id: id, inviteCode: inviteCode,
            state: state, checksum: checksum(of: start..<state.upperBound),
            journal: journal(of: commit), further: further)
        parties.append(stored.id)
        changes.append(change)
    }

    /// Adds one row with many outcomes; `row` is its unique id.
    package mutating func add(outcomes: [StoredOutcome], row: Int64) {
        self.outcomes.append(DataRow(outcomes: outcomes, row: row))
    }

    /// Deletes rows of outcomes that the parties' own rows supersede.
    package mutating func forget(outcomeRows: [Int64]) { forgottenOutcomes += outcomeRows }

    /// Lends the arena that contains the rows' ranges.
    func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try arena.withBytes(in: 0..<arena.count) { bytes -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    // MARK: Encoding

    private mutating func journal(of commit: PartyCommit) -> ChangeRow.Journal? {
        guard JournalEntry.isNeeded(for: commit) else { return nil }
        let start = arena.count
        arena.append(fixed: commit.stored.key.number)
        arena.append(fixed: commit.stored.version)
        arena.append(fixed: commit.at.milliseconds)
        let data = appended { JournalEntry.write(commit, to: &$0) }
        return ChangeRow.Journal(
            at: commit.at.milliseconds, data: data, checksum: checksum(of: start..<data.upperBound))
    }

    private mutating func append(lengthAndText text: String) -> Range<Int> {
        var text = text
        return text.withUTF8 { utf8 in
            arena.append(fixed: Int64(utf8.count))
            return appended { $0.append(raw: UnsafeRawBufferPointer(utf8)) }
        }
    }

    /// Returns the range that `body` has filled.
    private mutating func appended(_ body: (inout ByteWriter) -> Void) -> Range<Int> {
        let start = arena.count
        body(&arena)
        return start..<arena.count
    }

    /// Returns a row's checksum in one pass: its values are contiguous in the arena, in the order
    /// in which a reader adds them.
    private func checksum(of range: Range<Int>) -> Int64 {
        arena.withBytes(in: range) { Int64(crc32($0)) }
    }
}

extension ByteWriter {
    fileprivate mutating func append(fixed number: Int64) {
        append(fixed: UInt64(bitPattern: number))
    }
}

/// The result of a batch.
package struct BatchResult: Sendable {
    /// The result of each party's change, in the batch's order.
    package let parties: [Result<Void, StoreError>]
    /// Why the whole batch, or only its outcome rows, were not written.
    package let failure: StoreError?
    /// Whether letters wait in the inboxes of the parties' shards, as far as the batch looks for them.
    package let hasLetters: Bool

    package init(
        parties: [Result<Void, StoreError>], failure: StoreError?, hasLetters: Bool = false
    ) {
        self.parties = parties
        self.failure = failure
        self.hasLetters = hasLetters
    }

    /// Creates the result of a batch of which nothing was written.
    package init(of batch: Batch, failed error: StoreError) {
        self.init(
            parties: Array(repeating: .failure(error), count: batch.parties.count), failure: error)
    }
}
