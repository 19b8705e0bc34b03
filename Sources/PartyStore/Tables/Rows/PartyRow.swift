internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `parties` as it is read; `Batch` encodes the same.
struct PartyRow: Sendable {
    let key: Int64
    let id: String
    let inviteCode: String
    let version: Int64
    let awake: Int64
    let state: [UInt8]
    private let storedChecksum: Int64

    /// Reads the columns key, id, invite_code, version, awake, state, crc.
    init(_ row: any SQLRow) {
        key = row.integer(0)
        id = row.text(1)
        inviteCode = row.text(2)
        version = row.integer(3)
        awake = row.integer(4)
        state = row.bytes(5)
        storedChecksum = row.integer(6)
    }

    init(_ stored: StoredParty, awake: Int64) {
        key = stored.key.number
        id = stored.id.rawValue
        inviteCode = stored.inviteCode
        version = stored.version
        self.awake = awake
        var bytes = ByteWriter()
        PartyStateFormat.write(stored, to: &bytes)
        state = bytes.bytes
        storedChecksum = 0
    }

    /// The values to bind, in the order of the columns.
    var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(inviteCode), .integer(version), .integer(awake),
            .blob(state), .integer(checksum.value),
        ]
    }

    private var checksum: Checksum {
        var checksum = Checksum()
        checksum.add(key)
        checksum.add(version)
        checksum.add(awake)
        checksum.add(id)
        checksum.add(inviteCode)
        state.withUnsafeBytes { checksum.mix($0) }
        return checksum
    }

    /// Throws unless the row is exactly what was written.
    func check() throws(RowFault) {
        try RowFault.check(storedChecksum, checksum, table: "parties", key: id)
    }

    /// Returns the party, if the row is exactly what was written.
    func decode(
        _ registrations: [ActivityRegistration], packs: any PackSource
    ) throws(RowFault) -> StoredParty {
        try check()
        return try unchecked(registrations, packs: packs)
    }

    /// Returns the party without checking the checksum.
    func unchecked(
        _ registrations: [ActivityRegistration], packs: any PackSource
    ) throws(RowFault) -> StoredParty {
        do {
            return try state.withUnsafeBytes { bytes in
                try PartyStateFormat.read(
                    bytes, key: PartyKey(number: key), version: version, id: PartyID(id),
                    inviteCode: inviteCode, registrations: registrations, packs: packs)
            }
        } catch {
            throw RowFault(table: "parties", key: id, detail: "\(error)")
        }
    }
}
