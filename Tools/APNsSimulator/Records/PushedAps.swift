package import JSONReader

/// The `aps` dictionary of a Live Activity push, as far as readable: a field of a wrong type is
/// `nil`. Dates are seconds since 1970.
package struct PushedAps: Hashable, Sendable {
    /// `start`, `update`, `end`, or another text.
    package let event: String?
    package let timestamp: Int64?
    package let contentState: JSONValue?
    package let alert: Alert?
    package let staleDate: Int64?
    package let dismissalDate: Int64?
    package let relevanceScore: Double?

    package init(_ aps: JSONValue) {
        event = aps["event"]?.text
        timestamp = aps["timestamp"]?.integer
        contentState = aps["content-state"]
        alert = aps["alert"].map { Alert($0) }
        staleDate = aps["stale-date"]?.integer
        dismissalDate = aps["dismissal-date"]?.integer
        relevanceScore = aps["relevance-score"]?.number
    }

    /// The push's alert.
    package struct Alert: Hashable, Sendable {
        package let title: Text?
        package let body: Text?
        package let sound: String?

        init(_ alert: JSONValue) {
            title = alert["title"].flatMap(Text.init)
            body = alert["body"].flatMap(Text.init)
            sound = alert["sound"]?.text
        }
    }

    /// Plain text, or a key of the app's String Catalog with arguments.
    package enum Text: Hashable, Sendable {
        case plain(String)
        case localized(key: String, arguments: [String])

        init?(_ json: JSONValue) {
            if let words = json.text {
                self = .plain(words)
            } else if let key = json["loc-key"]?.text {
                let arguments = json["loc-args"]?.elements ?? []
                self = .localized(key: key, arguments: arguments.compactMap(\.text))
            } else {
                return nil
            }
        }
    }
}
