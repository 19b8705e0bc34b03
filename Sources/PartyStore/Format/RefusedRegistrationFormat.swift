internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `refused_registrations`, without its party.
enum RefusedRegistrationFormat {
    static func write(_ refused: RefusedRegistration, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(refused.activity)
        bytes.append(refused.player)
        bytes.append(count: refused.status)
        bytes.append(text: refused.detail)
        bytes.append(refused.at)
    }

    static func read(
        _ row: UnsafeRawBufferPointer, of party: PartyID
    ) throws(FormatError) -> RefusedRegistration {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let activity = try bytes.identifier(ActivityID.self)
        let player = try bytes.identifier(PlayerID.self)
        let status = try bytes.number("status")
        let detail = try bytes.text()
        let at = try bytes.wallTime()
        try bytes.finish()
        return RefusedRegistration(
            party: party, activity: activity, player: player, status: status, detail: detail,
            at: at)
    }
}

/// A row of `push_pause`.
enum PushPauseFormat {
    static func write(_ pause: PushPause, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(pause.since)
        bytes.append(text: pause.by)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> PushPause {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let since = try bytes.wallTime()
        let by = try bytes.text()
        try bytes.finish()
        return PushPause(since: since, by: by)
    }
}
