internal import GameLogic
internal import JSONWriter
package import PartyStore
package import PushPolicy

/// JSON lines, one per entry, on standard error. Values are written as they are: secrets are types
/// that print redacted (PR17), so they cannot appear by accident.
package struct Log: Sendable {
    package enum Level: Int, Comparable, CaseIterable, Sendable {
        case debug, info, warning, error

        package var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let level: Level
    private let now: @Sendable () -> WallTime
    private let write: @Sendable ([UInt8]) -> Void

    /// `write` receives each line with its newline, from any thread.
    package init(
        level: Level, now: @escaping @Sendable () -> WallTime,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.level = level
        self.now = now
        self.write = write
    }

    /// Returns whether entries of this level are written, because their fields may be costly to
    /// make.
    func writes(_ level: Level) -> Bool { level >= self.level }

    package func debug(_ message: StaticString, _ fields: KeyValuePairs<String, String> = [:]) {
        entry(.debug, message, fields)
    }

    package func info(_ message: StaticString, _ fields: KeyValuePairs<String, String> = [:]) {
        entry(.info, message, fields)
    }

    /// Writes a warning. `more` follows `fields`: what happened, after what it happened to.
    package func warning(
        _ message: StaticString, _ fields: KeyValuePairs<String, String> = [:],
        _ more: KeyValuePairs<String, String> = [:]
    ) {
        entry(.warning, message, fields, more)
    }

    /// Writes an error. `more` follows `fields`.
    package func error(
        _ message: StaticString, _ fields: KeyValuePairs<String, String> = [:],
        _ more: KeyValuePairs<String, String> = [:]
    ) {
        entry(.error, message, fields, more)
    }

    private func entry(
        _ level: Level, _ message: StaticString, _ fields: KeyValuePairs<String, String>,
        _ more: KeyValuePairs<String, String> = [:]
    ) {
        guard level >= self.level else { return }
        var json = JSONWriter()
        json.beginObject()
        json.field("time", now().milliseconds)
        json.field("level", level.name)
        json.field("message", "\(message)")
        for fields in [fields, more] {
            for (name, value) in fields {
                json.key(named: name)
                json.value(value)
            }
        }
        json.endObject()
        write(json.bytes + [UInt8(ascii: "\n")])
    }
}

extension Log {
    /// Logs what a store detects by itself.
    package func note(_ event: StoreEvent) {
        switch event {
        case .partyIsCorrupt(let party, let detail):
            error("a party's row is corrupt", ["party": "\(party)", "detail": detail])
        case .rowIsCorrupt(let table, let key, let detail):
            error("a row is corrupt", ["table": table, "key": key, "detail": detail])
        case .historyDiffers(let party, let detail):
            error(
                "a party's commands do not reproduce its events: its journal is kept whole",
                ["party": "\(party)", "detail": detail])
        case .fileChecked(let problems) where problems.isEmpty:
            info("every row of the file is sound")
        case .fileChecked(let problems):
            error("the file is damaged", ["problems": problems.joined(separator: "; ")])
        case .changesLost(let detail):
            error("acknowledged changes are lost", ["detail": detail])
        case .writingStopped(let detail):
            error("the store cannot write", ["detail": detail])
        case .writingResumed:
            info("the store can write again")
        case .ballastFreed:
            error("the disk is full: the ballast was freed, free some space now")
        case .ballastMade:
            info("the ballast was created")
        case .checkpointFailed(let detail):
            warning("the write-ahead log cannot be copied into the file", ["detail": detail])
        }
    }
}
