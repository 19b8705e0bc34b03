internal import ByteCoding
internal import GameLogic

/// A row of `packs`, without id and version, which are columns.
enum PackFormat {
    static func write(_ pack: PackRecord, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(pack.status)
        bytes.append(count: pack.rules.count)
        pack.rules.withUnsafeBytes { bytes.append(raw: $0) }
        bytes.append(count: pack.texts.count)
        pack.texts.withUnsafeBytes { bytes.append(raw: $0) }
    }

    static func read(
        _ row: UnsafeRawBufferPointer, _ reference: Pack.Reference
    ) throws(FormatError) -> PackRecord {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let status = try bytes.numbered(PackRecord.Status.self)
        let rules = Array(try bytes.raw(try bytes.count(max: bodyMax)))
        let texts = Array(try bytes.raw(try bytes.count(max: bodyMax)))
        try bytes.finish()
        return PackRecord(reference: reference, status: status, rules: rules, texts: texts)
    }

    /// More bytes than any pack has.
    private static let bodyMax = 1 << 24
}

extension PackRecord.Status: Numbered {
    var number: UInt8 {
        switch self {
        case .draft: 1
        case .published: 2
        case .retired: 3
        }
    }
}
