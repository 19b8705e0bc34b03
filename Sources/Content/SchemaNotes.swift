internal import JSONReader

/// Takes notes of what a reader asks of a value: they are the value's JSON Schema.
final class SchemaNotes {
    enum Presence { case required, optional }

    struct Property {
        let name: String
        let presence: Presence
        let notes: SchemaNotes
    }

    /// The place in the file, with "[]" for each entry of a list, and "*" for each name that the
    /// designer gives: "stages[].foes".
    let path: String
    /// What the file says where a reader asks for one of several names, by path: how it reads on
    /// may depend on it.
    private let answers: [String: String]
    private(set) var properties: [Property] = []
    private var keywords: [JSONValue.Field] = []
    private var elements: SchemaNotes?
    private var others: SchemaNotes?
    private var choices: [SchemaNotes] = []

    init(at path: String = "", answers: [String: String] = [:]) {
        self.path = path
        self.answers = answers
    }

    // MARK: What readers ask

    func isInteger(in range: ClosedRange<Int>) {
        set(Self.integer(in: range).fields ?? [])
    }

    func isText(lengths: ClosedRange<Int>? = nil) {
        set("type", .text("string"))
        guard let lengths else { return }
        set("minLength", .integer(Int64(lengths.lowerBound)))
        set("maxLength", .integer(Int64(lengths.upperBound)))
    }

    func isID() {
        isText()
        set("pattern", Self.id)
    }

    /// Returns the answer.
    func isText(among names: [String]) -> String {
        isText()
        set("enum", .array(names.map(JSONValue.text)))
        return answers[path] ?? names.first ?? ""
    }

    func isRange(in limits: ClosedRange<Int>) {
        set("type", .text("array"))
        set(Self.counts(2...2))
        set("items", Self.integer(in: limits))
    }

    /// A table of weights, as an object or as pairs, of these names or of any ids.
    func isWeights(of names: [String]?, in range: ClosedRange<Int>) {
        let isName = names.map { ("enum", JSONValue.array($0.map(JSONValue.text))) }
        let names = Self.object(("type", .text("string")), isName ?? ("pattern", Self.id))
        let weight = Self.integer(in: range)
        let pair = Self.object(
            ("type", .text("array")), ("minItems", .integer(2)), ("maxItems", .integer(2)),
            ("items", .array([names, weight])))
        set(
            "anyOf",
            .array([
                Self.object(
                    ("type", .text("object")), ("propertyNames", names),
                    ("additionalProperties", weight)),
                Self.object(("type", .text("array")), ("items", pair)),
            ]))
    }

    func isObject() { set("type", .text("object")) }

    func property(_ name: String, _ presence: Presence) -> SchemaNotes {
        let notes = notes(at: path.isEmpty ? name : "\(path).\(name)")
        properties.append(Property(name: name, presence: presence, notes: notes))
        return notes
    }

    /// Adds what others have noted of a property.
    func take(_ property: Property, _ presence: Presence) {
        properties.append(
            Property(name: property.name, presence: presence, notes: property.notes))
    }

    func elements(in counts: ClosedRange<Int>) -> SchemaNotes {
        set("type", .text("array"))
        set(Self.counts(counts))
        let notes = notes(at: path + "[]")
        elements = notes
        return notes
    }

    /// The values of an object whose keys are not known.
    func values(max count: Int) -> SchemaNotes {
        isObject()
        set("maxProperties", .integer(Int64(count)))
        let notes = notes(at: path + ".*")
        others = notes
        return notes
    }

    func hasIDs() { set("propertyNames", Self.object(("pattern", Self.id))) }

    func hasNames(_ names: [String]) {
        set("propertyNames", Self.object(("enum", .array(names.map(JSONValue.text)))))
    }

    func alternatives() -> (SchemaNotes, SchemaNotes) {
        choices = [notes(at: path), notes(at: path)]
        return (choices[0], choices[1])
    }

    private func notes(at path: String) -> SchemaNotes {
        SchemaNotes(at: path, answers: answers)
    }

    // MARK: Keywords

    private func set(_ fields: [JSONValue.Field]) {
        for field in fields { set(field.name, field.value) }
    }

    private func set(_ name: String, _ value: JSONValue) {
        keywords.removeAll { $0.name == name }
        keywords.append(JSONValue.Field(name: name, value: value))
    }

    static func object(_ fields: (String, JSONValue)...) -> JSONValue {
        .object(fields.map { JSONValue.Field(name: $0.0, value: $0.1) })
    }

    private static let id = JSONValue.text("^[a-z0-9-]{1,32}$")

    private static func integer(in range: ClosedRange<Int>) -> JSONValue {
        object(
            ("type", .text("integer")), ("minimum", .integer(Int64(range.lowerBound))),
            ("maximum", .integer(Int64(range.upperBound))))
    }

    private static func counts(_ counts: ClosedRange<Int>) -> [JSONValue.Field] {
        let (least, most) = (Int64(counts.lowerBound), Int64(counts.upperBound))
        return object(("minItems", .integer(least)), ("maxItems", .integer(most))).fields ?? []
    }
}

extension SchemaNotes {
    /// Returns the schema, with the meanings of fields by their paths.
    func schema(_ meanings: [String: String]) -> JSONValue {
        var fields = keywords
        func add(_ name: String, _ value: JSONValue) {
            fields.append(JSONValue.Field(name: name, value: value))
        }
        if !properties.isEmpty {
            add("properties", .object(properties.map { $0.schema(meanings) }))
            let required = properties.filter { $0.presence == .required }
            if !required.isEmpty { add("required", .array(required.map { .text($0.name) })) }
            add("additionalProperties", .truth(false))
        }
        if let elements { add("items", elements.schema(meanings)) }
        if let others { add("additionalProperties", others.schema(meanings)) }
        if !choices.isEmpty { add("anyOf", .array(choices.map { $0.schema(meanings) })) }
        return .object(fields)
    }
}

extension SchemaNotes.Property {
    fileprivate func schema(_ meanings: [String: String]) -> JSONValue.Field {
        let schema = notes.schema(meanings)
        guard let meaning = meanings[notes.path], let keywords = schema.fields else {
            return JSONValue.Field(name: name, value: schema)
        }
        let description = JSONValue.Field(name: "description", value: .text(meaning))
        return JSONValue.Field(name: name, value: .object([description] + keywords))
    }
}
