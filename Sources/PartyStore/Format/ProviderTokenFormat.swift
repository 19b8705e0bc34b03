internal import ByteCoding
internal import PushPolicy

/// A row of `provider_tokens`. Its bytes are secret.
enum ProviderTokenFormat {
    static func write(_ token: ProviderTokenRecord, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(text: token.keyID)
        bytes.append(text: token.teamID)
        bytes.append(zigzag: token.issuedAt)
        bytes.append(text: token.jwt)
        var flags = Flags()
        flags.append(token.noOtherBefore != nil)
        // Older rows have no `signedAt`.
        flags.append(true)
        bytes.append(flags)
        if let time = token.noOtherBefore { bytes.append(zigzag: time.milliseconds) }
        bytes.append(zigzag: token.signedAt.milliseconds)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ProviderTokenRecord {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let (keyID, teamID) = (try bytes.text(), try bytes.text())
        let issuedAt = try bytes.zigzag(in: Bounds.seconds, "time")
        let jwt = try bytes.text()
        var flags = try bytes.flags(2)
        let noOtherBefore = flags.next() ? try time(&bytes) : nil
        let signedAt = flags.next() ? try time(&bytes) : nil
        try bytes.finish()
        return ProviderTokenRecord(
            keyID: keyID, teamID: teamID, issuedAt: issuedAt, signedAt: signedAt, jwt: jwt,
            noOtherBefore: noOtherBefore)
    }

    private static func time(_ bytes: inout ByteReader) throws(FormatError) -> WallTime {
        WallTime(milliseconds: try bytes.zigzag(in: Bounds.milliseconds, "time"))
    }
}
