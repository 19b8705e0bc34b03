internal import JSONReader

/// A payload for the rules, parsed as far as possible.
struct LintedPayload: Sendable {
    let byteCount: Int
    let context: PayloadLinter.Context
    let document: Result<JSONValue, JSONError>
    /// The `aps` dictionary, if any.
    let aps: LintedAps?

    init(_ payload: [UInt8], schema: LiveActivitySchema?, context: PayloadLinter.Context) {
        byteCount = payload.count
        self.context = context
        document = Result { () throws(JSONError) in try JSONValue(parsing: payload) }
        let aps = try? document.get()["aps"]
        self.aps = aps.flatMap { $0.fields == nil ? nil : $0 }
            .map { LintedAps($0, schema: schema, context: context) }
    }

    /// The document, if it is valid JSON.
    var json: JSONValue? { try? document.get() }
}

/// The `aps` dictionary with the values that several rules need.
struct LintedAps: Sendable {
    let json: JSONValue
    let event: Event?
    let schema: LiveActivitySchema?
    let context: PayloadLinter.Context
    /// The differences between content state or attributes and the app's types.
    let mismatches: [ContentSchema.Mismatch]

    /// `aps.event`.
    enum Event: String, Sendable, CaseIterable {
        case start, update, end
    }

    init(_ json: JSONValue, schema: LiveActivitySchema?, context: PayloadLinter.Context) {
        self.json = json
        self.schema = schema
        self.context = context
        event = json["event"]?.text.flatMap(Event.init)
        let state = Self.mismatches(json, "content-state", schema?.contentState)
        let attributes = event == .start ? schema?.attributes : nil
        mismatches = state + Self.mismatches(json, "attributes", attributes)
    }

    subscript(_ key: String) -> JSONValue? { json[key] }

    /// Returns one spot if the condition holds.
    func spot(_ key: String, _ observation: String, when holds: Bool) -> [PayloadRule.Spot] {
        holds ? [PayloadRule.Spot("aps.\(key)", observation)] : []
    }

    /// Returns the spots of one kind of mismatch.
    func mismatches(
        _ observation: (ContentSchema.Mismatch.Kind) -> String?
    ) -> [PayloadRule.Spot] {
        mismatches.compactMap { mismatch in
            observation(mismatch.kind).map { PayloadRule.Spot(mismatch.path, $0) }
        }
    }

    private static func mismatches(
        _ json: JSONValue, _ key: String, _ schema: ContentSchema?
    ) -> [ContentSchema.Mismatch] {
        guard let schema, let value = json[key], value.fields != nil else { return [] }
        return schema.mismatches(in: value, at: "aps.\(key)")
    }
}

extension JSONValue {
    /// The value's type for a sentence, without the value.
    var typeName: String {
        switch self {
        case .null: "null"
        case .truth: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .text: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Returns the paths of keys that occur more than once in their object.
    func repeatedKeys(at path: String = "") -> [String] {
        switch self {
        case .null, .truth, .integer, .number, .text: return []
        case .array(let elements):
            return elements.enumerated().flatMap { $1.repeatedKeys(at: "\(path)[\($0)]") }
        case .object(let fields):
            var seen: Set<String> = []
            return fields.flatMap { field in
                let place = path.isEmpty ? field.name : "\(path).\(field.name)"
                let isNew = seen.insert(field.name).inserted
                return (isNew ? [] : [place]) + field.value.repeatedKeys(at: place)
            }
        }
    }
}
