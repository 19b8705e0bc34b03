internal import GameLogic

/// The part of a party's row that acknowledgements change.
struct OutboxRow: Sendable {
    let id: String
    let version: Int64
    let outbox: [UInt8]

    init(_ record: OutboxRecord) throws(StoreError) {
        id = record.party.rawValue
        version = record.version
        outbox = try RowCoding.encode(record.outbox)
    }

    var checksum: Checksum {
        PartyRow.outboxChecksum(id: id, version: version, outbox: outbox)
    }
}
