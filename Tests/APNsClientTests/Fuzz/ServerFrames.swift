/// What a server may send, as bytes: frames of RFC 9113 section 4.1, without any library's help.
struct ServerFrames {
    static let settingsAck = frame(4, flags: 1, stream: 0, [])
    static let ping = frame(6, stream: 0, Array("ping me!".utf8))

    static func settings(streams: UInt32) -> [UInt8] {
        frame(4, stream: 0, [0, 3] + bytes(of: streams))
    }

    /// HEADERS with a status of HPACK's static table, and a field of its own.
    static func headers(_ status: Status, stream: UInt32, ends: Bool) -> [UInt8] {
        // 0x10: a literal that is never indexed, with a new name.
        let field =
            [status.rawValue, 0x10, 7] + Array("apns-id".utf8) + [4] + Array("0000".utf8)
        return frame(1, flags: ends ? 0x5 : 0x4, stream: stream, field)
    }

    /// Indexes of RFC 7541 appendix A.
    enum Status: UInt8, CaseIterable {
        case ok = 0x88
        case badRequest = 0x8C
        case notFound = 0x8D
        case serverError = 0x8E
    }

    static func data(_ body: [UInt8], stream: UInt32) -> [UInt8] {
        frame(0, flags: 1, stream: stream, body)
    }

    static func reset(_ code: UInt32, stream: UInt32) -> [UInt8] {
        frame(3, stream: stream, bytes(of: code))
    }

    static func goAway(last: UInt32, code: UInt32, debug: [UInt8]) -> [UInt8] {
        frame(7, stream: 0, bytes(of: last) + bytes(of: code) + debug)
    }

    static func window(_ increment: UInt32, stream: UInt32) -> [UInt8] {
        frame(8, stream: stream, bytes(of: increment))
    }

    private static func frame(
        _ kind: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]
    ) -> [UInt8] {
        bytes(of: UInt32(payload.count)).dropFirst() + [kind, flags] + bytes(of: stream) + payload
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
