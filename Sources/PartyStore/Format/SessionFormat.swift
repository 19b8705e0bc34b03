internal import ByteCoding

/// A row of `sessions`; its id is in a column, and so is the key's name.
enum SessionFormat {
    static func write(_ session: SessionRecord, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(session.holder.role)
        bytes.append(session.createdAt)
        bytes.append(session.seenAt)
    }

    static func read(
        _ row: UnsafeRawBufferPointer, id: String, key: String
    ) throws(FormatError) -> SessionRecord {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let role: Role = try bytes.numbered()
        let createdAt = try bytes.wallTime()
        let seenAt = try bytes.wallTime()
        try bytes.finish()
        return SessionRecord(
            id: id, holder: GameMaster(name: key, role: role), createdAt: createdAt,
            seenAt: seenAt)
    }
}
