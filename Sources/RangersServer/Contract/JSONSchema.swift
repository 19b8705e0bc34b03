internal import JSONWriter

/// A JSON Schema (2020-12), as far as this API needs one.
indirect enum JSONSchema: Sendable {
    /// A field of an object.
    struct Property: Sendable {
        enum Presence: Sendable { case required, optional }

        let name: String
        let schema: JSONSchema
        let presence: Presence
    }

    /// Whether an object may have other fields.
    enum Others: Sendable {
        /// Responses: later versions may add fields.
        case allowed
        /// Requests.
        case refused
    }

    case string(pattern: String?, lengths: ClosedRange<Int>?)
    case integer(ClosedRange<Int>?)
    case number(ClosedRange<Double>?)
    case boolean
    /// One of these texts.
    case choice([String])
    case truth
    case null
    case array(JSONSchema, countMax: Int?)
    case object([Property], Others)
    case any(of: [JSONSchema])
    /// A schema with a name, written once.
    case named(String, JSONSchema)

    static let text = JSONSchema.string(pattern: nil, lengths: nil)
    static let whole = JSONSchema.integer(0...Int.max)
    /// The largest number that every reader of JSON takes exactly.
    static let integerMax = 1 << 53
    /// Milliseconds since 1970.
    static let time = JSONSchema.integer(nil)
    /// A fraction from 0 to 1.
    static let fraction = JSONSchema.number(0...1)

    static func nullable(_ schema: JSONSchema) -> JSONSchema { .any(of: [schema, .null]) }

    static func list(_ element: JSONSchema) -> JSONSchema { .array(element, countMax: nil) }

    static func pattern(_ pattern: String) -> JSONSchema {
        .string(pattern: pattern, lengths: nil)
    }

    /// The object of a response.
    static func fields(
        _ required: KeyValuePairs<String, JSONSchema>,
        optional: KeyValuePairs<String, JSONSchema> = [:]
    ) -> JSONSchema {
        .object(
            required.map { Property(name: $0.key, schema: $0.value, presence: .required) }
                + optional.map { Property(name: $0.key, schema: $0.value, presence: .optional) },
            .allowed)
    }

    /// The fields of an object; empty for anything else.
    var properties: [Property] {
        switch self {
        case .object(let properties, _): properties
        case .named(_, let schema): schema.properties
        case .string, .integer, .number, .boolean, .choice, .truth, .null, .array, .any: []
        }
    }

    /// The same object with further fields.
    func adding(
        _ required: KeyValuePairs<String, JSONSchema>,
        optional: KeyValuePairs<String, JSONSchema> = [:]
    ) -> JSONSchema {
        .object(properties + Self.fields(required, optional: optional).properties, .allowed)
    }
}

extension JSONSchema {
    /// Writes the schema as one value. Named ones become references, and are added to `components`.
    func write(to json: inout JSONWriter, _ components: inout [String: JSONSchema]) {
        if case .named(let name, let schema) = self {
            components[name] = schema
            json.beginObject()
            json.field("$ref", "#/components/schemas/\(name)")
            json.endObject()
            return
        }
        json.beginObject()
        writeKeywords(to: &json, &components)
        json.endObject()
    }

    private func writeKeywords(
        to json: inout JSONWriter, _ components: inout [String: JSONSchema]
    ) {
        switch self {
        case .string(let pattern, let lengths):
            json.field("type", "string")
            if let pattern { json.field("pattern", pattern) }
            if let lengths {
                json.field("minLength", lengths.lowerBound)
                json.field("maxLength", lengths.upperBound)
            }
        case .integer(let range):
            json.field("type", "integer")
            if let range {
                json.field("minimum", range.lowerBound)
                if range.upperBound < Int.max { json.field("maximum", range.upperBound) }
            }
        case .number(let range):
            json.field("type", "number")
            if let range {
                json.field("minimum", range.lowerBound)
                json.field("maximum", range.upperBound)
            }
        case .boolean: json.field("type", "boolean")
        case .choice(let texts):
            json.field("type", "string")
            json.array("enum", texts) { $0.value($1) }
        case .truth: json.field("const", true)
        case .null: json.field("type", "null")
        case .array(let element, let countMax):
            json.field("type", "array")
            if let countMax { json.field("maxItems", countMax) }
            json.key("items")
            element.write(to: &json, &components)
        case .object(let properties, let others):
            Self.write(properties, others, to: &json, &components)
        case .any(let schemas):
            json.key("anyOf")
            json.beginArray()
            for schema in schemas { schema.write(to: &json, &components) }
            json.endArray()
        case .named(_, let schema): schema.writeKeywords(to: &json, &components)
        }
    }

    private static func write(
        _ properties: [Property], _ others: Others, to json: inout JSONWriter,
        _ components: inout [String: JSONSchema]
    ) {
        json.field("type", "object")
        json.key("properties")
        json.beginObject()
        for property in properties {
            json.key(named: property.name)
            property.schema.write(to: &json, &components)
        }
        json.endObject()
        let required = properties.filter { $0.presence == .required }
        if !required.isEmpty { json.array("required", required) { $0.value($1.name) } }
        if others == .refused { json.field("additionalProperties", false) }
    }
}
