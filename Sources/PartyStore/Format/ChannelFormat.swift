internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `channels`.
enum ChannelFormat {
    static func write(_ channel: ChannelRecord, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(channel.id)
        bytes.append(channel.environment)
        bytes.append(channel.party)
        bytes.append(channel.createdAt)
        var flags = Flags()
        flags.append(channel.overSince != nil)
        bytes.append(flags)
        if let time = channel.overSince { bytes.append(time, since: channel.createdAt) }
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ChannelRecord {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let id = try bytes.identifier(ChannelName.self)
        let environment = try bytes.numbered(PushEnvironment.self)
        let party = try bytes.identifier(PartyID.self)
        let createdAt = try bytes.wallTime()
        var flags = try bytes.flags(1)
        let overSince = flags.next() ? try bytes.wallTime(since: createdAt) : nil
        try bytes.finish()
        return ChannelRecord(
            id: id, environment: environment, party: party, createdAt: createdAt,
            overSince: overSince)
    }
}
