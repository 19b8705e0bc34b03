internal import GameLogic
internal import PushPolicy

/// A row of `parties`. The outbox has a checksum of its own, so that acknowledging pushes need
/// not read the party again.
struct PartyRow: Sendable {
    let id: String
    let version: Int64
    let party: [UInt8]
    let beganAt: Int64
    let millisecondsPerSecond: Int64
    let inviteCode: String
    let createdAt: Int64
    let nextDueAt: Int64?
    let outbox: [UInt8]
    private let storedChecksum: Int64
    private let storedOutboxChecksum: Int64

    static let columns = """
        id, version, party, began_at, speed, invite_code, created_at, next_due_at, outbox, crc,
        outbox_crc
        """

    init(_ row: Statement) {
        id = row.text(0)
        version = row.integer(1)
        party = row.bytes(2)
        beganAt = row.integer(3)
        millisecondsPerSecond = row.integer(4)
        inviteCode = row.text(5)
        createdAt = row.integer(6)
        nextDueAt = row.optionalInteger(7)
        outbox = row.bytes(8)
        storedChecksum = row.integer(9)
        storedOutboxChecksum = row.integer(10)
    }

    init(_ record: PartyRecord) throws(StoreError) {
        id = record.id.rawValue
        version = record.version
        party = try RowCoding.encode(record.party)
        beganAt = record.clock.beganAt.milliseconds
        millisecondsPerSecond = record.clock.millisecondsPerSecond
        inviteCode = record.inviteCode
        createdAt = record.createdAt.milliseconds
        nextDueAt = record.nextDueAt?.milliseconds
        outbox = try RowCoding.encode(record.outbox)
        storedChecksum = 0
        storedOutboxChecksum = 0
    }

    var checksum: Checksum {
        var checksum = Checksum()
        checksum.add(id)
        checksum.add(version)
        checksum.add(party)
        checksum.add(beganAt)
        checksum.add(millisecondsPerSecond)
        checksum.add(inviteCode)
        checksum.add(createdAt)
        checksum.add(nextDueAt)
        return checksum
    }

    /// Also over id and version: an outbox cannot end up with another row.
    static func outboxChecksum(id: String, version: Int64, outbox: [UInt8]) -> Checksum {
        var checksum = Checksum()
        checksum.add(id)
        checksum.add(version)
        checksum.add(outbox)
        return checksum
    }

    var outboxChecksum: Checksum {
        Self.outboxChecksum(id: id, version: version, outbox: outbox)
    }

    /// What is bound, in the order of `columns`.
    var values: [SQLiteValue] {
        [
            .text(id), .integer(version), .utf8(party), .integer(beganAt),
            .integer(millisecondsPerSecond), .text(inviteCode), .integer(createdAt),
            .optional(nextDueAt), .utf8(outbox), .integer(checksum.value),
            .integer(outboxChecksum.value),
        ]
    }

    /// The party, if the row is exactly what was written.
    func record() throws(RowFault) -> PartyRecord {
        let table = "parties"
        try RowCoding.check(storedChecksum, checksum, table: table, key: id)
        try RowCoding.check(storedOutboxChecksum, outboxChecksum, table: table, key: id)
        let party = try RowCoding.decode(Party.self, from: party, table: table, key: id)
        let outbox = try RowCoding.decode(
            [ActivityOutbox].self, from: outbox, table: table, key: id)
        let clock = PartyClock(
            beganAt: WallTime(milliseconds: beganAt), millisecondsPerSecond: millisecondsPerSecond)
        return PartyRecord(
            id: PartyID(id), version: version, party: party, outbox: outbox, clock: clock,
            inviteCode: inviteCode, createdAt: WallTime(milliseconds: createdAt),
            nextDueAt: nextDueAt.map(WallTime.init(milliseconds:)))
    }
}
