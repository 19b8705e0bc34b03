internal import ByteCoding
internal import PushPolicy

extension Role: Numbered {
    var number: UInt8 {
        switch self {
        case .observer: 1
        case .moderator: 2
        case .gameMaster: 3
        case .director: 4
        case .owner: 5
        }
    }
}

/// A row of `admin_keys`.
enum AdminKeyFormat {
    private static let hashBytes = 32

    static func write(_ key: AdminKeyRecord, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(key.holder)
        key.hash.withUnsafeBytes { bytes.append(raw: $0) }
        bytes.append(key.createdAt)
        bytes.append(text: key.createdBy)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> AdminKeyRecord {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let holder = try bytes.gameMaster()
        let hash = Array(try bytes.raw(hashBytes))
        let createdAt = try bytes.wallTime()
        let createdBy = try bytes.text()
        try bytes.finish()
        return AdminKeyRecord(
            holder: holder, hash: hash, createdAt: createdAt, createdBy: createdBy)
    }
}

/// A row of `audit`.
enum AuditFormat {
    static func write(_ call: AuditRecord, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        var flags = Flags()
        flags.append(call.caller != nil)
        flags.append(call.target != nil)
        flags.append(call.before != nil)
        flags.append(call.after != nil)
        flags.append(call.reason != nil)
        flags.append(call.address != nil)
        flags.append(call.command != nil)
        flags.append(call.isDryRun)
        bytes.append(flags)
        if let caller = call.caller { bytes.append(caller) }
        bytes.append(text: call.action)
        for text in [
            call.target, call.before, call.after, call.reason, call.address, call.command,
        ] {
            if let text { bytes.append(text: text) }
        }
        bytes.append(count: call.status)
        bytes.append(call.at)
        bytes.append(count: call.count)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> AuditRecord {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        var flags = try bytes.flags(8)
        let caller = flags.next() ? try bytes.gameMaster() : nil
        let action = try bytes.text()
        let target = flags.next() ? try bytes.text() : nil
        let before = flags.next() ? try bytes.text() : nil
        let after = flags.next() ? try bytes.text() : nil
        let reason = flags.next() ? try bytes.text() : nil
        let address = flags.next() ? try bytes.text() : nil
        let command = flags.next() ? try bytes.text() : nil
        let isDryRun = flags.next()
        let status = try bytes.number("status")
        let at = try bytes.wallTime()
        let count = try bytes.number("count")
        try bytes.finish()
        return AuditRecord(
            caller: caller, action: action, target: target, before: before, after: after,
            reason: reason, address: address, command: command, isDryRun: isDryRun,
            status: status, at: at, count: count)
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ master: GameMaster) {
        append(text: master.name)
        append(master.role)
    }
}

extension ByteReader {
    fileprivate mutating func gameMaster() throws(FormatError) -> GameMaster {
        GameMaster(name: try text(), role: try numbered())
    }
}
