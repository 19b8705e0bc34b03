internal import ByteCoding
internal import PushPolicy

/// A row of `provider_tokens`. Its bytes are secret.
enum ProviderTokenFormat {
    static func write(_ token: ProviderTokenRecord, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(text: token.keyID)
        bytes.append(text: token.teamID)
        bytes.append(zigzag: token.issuedAt)
        bytes.append(token.signedAt)
        bytes.append(text: token.jwt)
        var flags = Flags()
        flags.append(token.noOtherBefore != nil)
        bytes.append(flags)
        if let time = token.noOtherBefore { bytes.append(time) }
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ProviderTokenRecord {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let (keyID, teamID) = (try bytes.text(), try bytes.text())
        let issuedAt = try bytes.zigzag(in: Bounds.seconds, "time")
        let signedAt = try bytes.wallTime()
        let jwt = try bytes.text()
        var flags = try bytes.flags(1)
        let noOtherBefore = flags.next() ? try bytes.wallTime() : nil
        try bytes.finish()
        return ProviderTokenRecord(
            keyID: keyID, teamID: teamID, issuedAt: issuedAt, signedAt: signedAt, jwt: jwt,
            noOtherBefore: noOtherBefore)
    }
}
