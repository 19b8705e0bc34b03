internal import HTTPServer
internal import JSONReader
internal import JSONWriter
internal import NodeLink
internal import PartyStore

/// What the other nodes say to a game master's question, each for its own parties.
struct NodeAnswers: Sendable {
    /// Of those that have responded, in the order of their epochs.
    private(set) var values: [(node: ServerNode, value: JSONValue)] = []
    /// The names of those that have not; `nil`: this server has the store for itself, or is one of
    /// those that were asked.
    private(set) var silent: [String]?

    /// The field that says which nodes are missing from a response.
    static let field = "silentNodes"
    static let fields: KeyValuePairs<String, JSONSchema> = [field: .list(.text)]

    /// Asks all other nodes, unless one of them has asked this one.
    init(to request: Request, of call: Call) async {
        // Only the node that was asked first writes to the audit log.
        guard call.answersForAll else {
            call.audit?.noteWritten()
            return
        }
        guard call.game.shards.map.isShared else { return }
        var silent: [String] = []
        for (node, response) in await call.game.forwarding?.responses(to: request, by: call.hop)
            ?? []
        {
            if let response, response.status == 200, let value = JSONValue(response.body) {
                values.append((node, value))
            } else {
                silent.append(node.name)
            }
        }
        self.silent = silent
    }

    /// Returns all elements of a list that each response has.
    func elements(of list: String) -> [JSONValue] {
        values.flatMap { $0.value[list]?.elements ?? [] }
    }

    /// Whether a page of another node is not its last one.
    var haveMore: Bool { values.contains { $0.value["next"]?.text != nil } }

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
