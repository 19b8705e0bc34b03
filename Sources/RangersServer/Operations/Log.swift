internal import JSONWriter
package import PushPolicy

/// JSON lines, one an entry, on standard error. Values are shown as they are: secrets are types
/// that print redacted (R17), so they cannot get in by accident.
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

    /// `write` gets each line with its newline; it may be called from any thread.
    package init(
        level: Level, now: @escaping @Sendable () -> WallTime,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.level = level
        self.now = now
        self.write = write
    }

    /// Whether entries of this level are written: making their fields may cost more than the rest.
    func writes(_ level: Level) -> Bool { level >= self.level }

    package func debug(_ message: StaticString, _ fields: KeyValuePairs<String, String> = [:]) {
        entry(.debug, message, fields)
    }

    package func info(_ message: StaticString, _ fields: KeyValuePairs<String, String> = [:]) {
        entry(.info, message, fields)
    }

    /// `more` follows `fields`: what happened, after whom it happened to.
    package func warning(
        _ message: StaticString, _ fields: KeyValuePairs<String, String> = [:],
        _ more: KeyValuePairs<String, String> = [:]
    ) {
        entry(.warning, message, fields, more)
    }

    /// `more` follows `fields`.
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
        for (name, value) in fields { json.field(name, value) }
        for (name, value) in more { json.field(name, value) }
        json.endObject()
        write(json.bytes + [UInt8(ascii: "\n")])
    }
}
