internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `requests`. Each kind of object has a number that is never reused.
enum KeptRequestFormat {
    static func write(_ request: KeptRequest, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(text: request.key.request)
        bytes.append(count: request.status)
        switch request.object {
        case .nothing: bytes.append(byte: 1)
        case .party(let party):
            bytes.append(byte: 2)
            bytes.append(party)
        case .hero(let hero):
            bytes.append(byte: 3)
            bytes.append(hero)
        case .reconciliation: bytes.append(byte: 4)
        case .secret: bytes.append(byte: 5)
        }
    }

    /// Reads a row whose key columns are given.
    static func read(
        _ row: UnsafeRawBufferPointer, player: String, key: String, at: Int64
    ) throws(FormatError) -> KeptRequest {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let request = try bytes.text()
        let status = try bytes.number(in: 200...599, "status")
        let object = try object(&bytes)
        try bytes.finish()
        return KeptRequest(
            key: RequestKey(player: PlayerID(player), key: key, request: request),
            status: status, object: object, at: WallTime(milliseconds: at))
    }

    private static func object(
        _ bytes: inout ByteReader
    ) throws(FormatError) -> KeptRequest.Object {
        let number = try bytes.byte()
        switch number {
        case 1: return .nothing
        case 2: return .party(try bytes.identifier())
        case 3: return .hero(try bytes.identifier())
        case 4: return .reconciliation
        case 5: return .secret
        default: throw .unknownNumber(UInt64(number), of: "kept object")
        }
    }
}
