internal import JSONReader

/// The JSON shape of an app's activity type, for the linter.
public struct LiveActivitySchema: Hashable, Sendable {
    /// The Swift name of the attributes' type; `nil`: any.
    public let attributesType: String?
    /// The attributes, which are fixed for an activity's life; `nil`: not checked.
    public let attributes: ContentSchema?
    /// The content state of each push.
    public let contentState: ContentSchema

    /// Creates a schema. A server that never starts activities needs only the content state.
    public init(
        contentState: ContentSchema, attributesType: String? = nil,
        attributes: ContentSchema? = nil
    ) {
        self.contentState = contentState
        self.attributesType = attributesType
        self.attributes = attributes
    }
}

/// What a default `JSONDecoder` requires of an app's `ContentState` or attributes.
public struct ContentSchema: Hashable, Sendable {
    /// The fields, in any order.
    public let fields: [Field]

    /// Creates a schema of these fields. Duplicate names are a programming error.
    public init(_ fields: [Field]) {
        precondition(
            Set(fields.map(\.name)).count == fields.count,
            "a schema has a field twice: \(fields.map(\.name))")
        self.fields = fields
    }

    /// A property of the Swift type.
    public struct Field: Hashable, Sendable {
        /// The name in JSON.
        public let name: String
        /// The allowed values.
        public let kind: Kind
        /// Whether the field may be absent.
        public let presence: Presence

        /// Creates a field, required by default.
        public init(_ name: String, _ kind: Kind, _ presence: Presence = .required) {
            self.name = name
            self.kind = kind
            self.presence = presence
        }
    }

    /// Whether a decoder requires a field.
    public enum Presence: Hashable, Sendable {
        /// A property that is not optional.
        case required
        /// An optional property: it may be absent or `null`.
        case optional
    }

    /// The JSON that a Swift type decodes from.
    public indirect enum Kind: Hashable, Sendable {
        /// A `String`, a `URL`, or an enum with string values.
        case text
        /// A `Double`, with a range if the app draws it.
        case number(in: ClosedRange<Double>? = nil)
        /// An `Int` of any size.
        case integer
        /// A `Bool`.
        case truth
        /// A `Date`: seconds since 2001, the default decoder's format.
        case date
        /// An array of one kind.
        case array(Kind)
        /// A type with fields of its own.
        case object(ContentSchema)
        /// A type that decodes from several forms.
        case anything
    }
}

extension LiveActivitySchema {
    /// Reads a schema from JSON.
    ///
    /// Each field has its kind's name (`text`, `number`, `number 0...1`, `integer`, `truth`,
    /// `date`, `anything`), an object of fields, or an array of one kind. A question mark after the
    /// kind makes the field optional.
    ///
    /// ```json
    /// { "attributes-type": "AdventureAttributes",
    ///   "attributes": { "hero": { "name": "text", "level": "integer?" } },
    ///   "content-state": { "currentHealthLevel": "number 0...1", "eventDescription": "text" } }
    /// ```
    public init(json: [UInt8]) throws(SchemaError) {
        let document: JSONValue
        do { document = try JSONValue(parsing: json) } catch { throw .notJSON("\(error)") }
        let known = ["attributes-type", "attributes", "content-state"]
        if let other = document.fields?.first(where: { !known.contains($0.name) }) {
            throw .unknownKey(other.name)
        }
        guard let state = document["content-state"] else { throw .missing("content-state") }
        let attributes = document["attributes"]
        self.init(
            contentState: try ContentSchema(written: state, at: "content-state"),
            attributesType: document["attributes-type"]?.text,
            attributes: try attributes.map { json throws(SchemaError) in
                try ContentSchema(written: json, at: "attributes")
            })
    }
}

extension ContentSchema {
    fileprivate init(written json: JSONValue, at path: String) throws(SchemaError) {
        guard let fields = json.fields else { throw .badKind(path) }
        var read: [Field] = []
        for field in fields {
            let place = "\(path).\(field.name)"
            guard !read.contains(where: { $0.name == field.name }) else { throw .badKind(place) }
            let isOptional = field.value.text?.hasSuffix("?") == true
            let kind = try Kind(written: field.value, at: place)
            read.append(Field(field.name, kind, isOptional ? .optional : .required))
        }
        self.init(read)
    }
}

extension ContentSchema.Kind {
    fileprivate init(written json: JSONValue, at path: String) throws(SchemaError) {
        if json.fields != nil {
            self = .object(try ContentSchema(written: json, at: path))
        } else if let elements = json.elements {
            guard let element = elements.first, elements.count == 1 else { throw .badKind(path) }
            self = .array(try Self(written: element, at: "\(path)[]"))
        } else if let kind = json.text.flatMap(Self.init(word:)) {
            self = kind
        } else {
            throw .badKind(path)
        }
    }

    private init?(word: String) {
        let words = word.drop(while: { $0 == " " }).split(separator: " ")
        let name = words.first.map { $0.hasSuffix("?") ? $0.dropLast() : $0 }
        switch (name, words.count) {
        case ("text", 1): self = .text
        case ("number", 1): self = .number()
        case ("integer", 1): self = .integer
        case ("truth", 1): self = .truth
        case ("date", 1): self = .date
        case ("anything", 1): self = .anything
        case ("number", 2):
            let bounds = words[1].split(separator: "?").joined().split(separator: "...")
                .compactMap { Double($0) }
            guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
            self = .number(in: bounds[0]...bounds[1])
        default: return nil
        }
    }
}

/// Why a JSON schema cannot be read.
public enum SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is not JSON.
    case notJSON(String)
    /// A key that schemas do not have.
    case unknownKey(String)
    /// A required key is absent.
    case missing(String)
    /// A field with an unknown kind.
    case badKind(String)

    /// What is wrong and what to write.
    public var description: String {
        switch self {
        case .notJSON(let reason): "the schema is not JSON: \(reason)"
        case .unknownKey(let key):
            "the schema has an unknown key \"\(key)\"; known are attributes-type, attributes and "
                + "content-state"
        case .missing(let key): "the schema has no \(key)"
        case .badKind(let path):
            "the schema's \(path) has no kind: write text, number, number 0...1, integer, truth, "
                + "date, anything, an object, or an array of one kind"
        }
    }
}
