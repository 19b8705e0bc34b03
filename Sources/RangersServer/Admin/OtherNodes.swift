internal import JSONReader
internal import JSONWriter
internal import PartyStore

/// What the other nodes have reported for a game master's question, each of its own parties.
struct OtherNodes: Sendable {
    /// Of those that have reported lately, in the order of their epochs.
    var values: [(node: ServerNode, value: JSONValue)] = []
    /// The names of those that have not; `nil`: this server has the store for itself.
    var silent: [String]?

    /// The parts of a report that responses merge.
    static let statistics = "statistics"
    static let frozen = "frozen"
    static let needs = "needs"

    /// The field that says which nodes are missing from a response.
    static let field = "silentNodes"
    static let fields: KeyValuePairs<String, JSONSchema> = [field: .list(.text)]

    /// Returns all elements of a list that each report has.
    func elements(of list: String) -> [JSONValue] {
        values.flatMap { $0.value[list]?.elements ?? [] }
    }

    /// Writes which nodes are missing.
    func writeSilent(to json: inout JSONWriter) {
        guard let silent else { return }
        json.array("silentNodes", silent) { $0.value($1) }
    }
}

extension JSONWriter {
    /// Returns a value as it was parsed.
    static func bytes(of value: JSONValue) -> [UInt8] {
        var json = JSONWriter()
        json.value(value)
        return json.bytes
    }

    /// Writes a value as it was parsed.
    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .truth(let truth): self.value(truth)
        case .integer(let number): self.value(number)
        case .number(let number): self.value(number)
        case .text(let text): self.value(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let fields):
            beginObject()
            for field in fields {
                key(named: field.name)
                self.value(field.value)
            }
            endObject()
        }
    }
}
