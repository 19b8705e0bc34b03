internal import JSONWriter
internal import PartyStore

/// The result of one check of `rangers doctor`.
package struct DoctorFinding: Sendable {
    package enum Status: String, Sendable {
        case ok
        /// It could not be checked; that alone is no problem.
        case skipped
        /// It works now, and will not for long.
        case warning
        case problem
    }

    /// The check's name: `disk`.
    package let check: String
    package let status: Status
    /// What was found, with its values.
    package let text: String
    /// What to do; empty when there is nothing to do.
    package let action: String

    init(_ check: String, _ status: Status, _ text: String, action: String = "") {
        self.check = check
        self.status = status
        self.text = text
        self.action = action
    }

    /// The schema of what was read: another one would have been refused.
    static let schema = DoctorFinding("schema", .ok, "\(SQLiteStore.schemaVersion)")

    /// One line for a terminal.
    package var line: String {
        let state = status == .problem ? "PROBLEM" : status.rawValue
        let columns = Self.padded(state, to: 8) + Self.padded(check, to: 10) + text
        return action.isEmpty ? columns : "\(columns): \(action)"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// All findings as a JSON array.
    package static func json(_ findings: [DoctorFinding]) -> String {
        var json = JSONWriter()
        json.beginArray()
        for finding in findings {
            json.beginObject()
            json.field("check", finding.check)
            json.field("status", finding.status.rawValue)
            json.field("text", finding.text)
            if !finding.action.isEmpty { json.field("action", finding.action) }
            json.endObject()
        }
        json.endArray()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
