extension LiveActivitySchema {
    /// Reads a schema that somebody has written down.
    ///
    /// Each field has its kind's name (`text`, `number`, `number 0...1`, `integer`, `truth`,
    /// `date`, `anything`), an object of fields, or an array of one kind. A question mark behind
    /// the kind makes the field optional.
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

/// Why a written schema cannot be read.
public enum SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is not JSON.
    case notJSON(String)
    /// A key that no schema has.
    case unknownKey(String)
    /// A key that each schema has.
    case missing(String)
    /// A field whose kind is none.
    case badKind(String)

    /// What is wrong and what to write.
    public var description: String {
        switch self {
        case .notJSON(let reason): "the schema is not JSON: \(reason)"
        case .unknownKey(let key):
            "the schema has \"\(key)\"; it knows attributes-type, attributes and content-state"
        case .missing(let key): "the schema has no \(key)"
        case .badKind(let path):
            "the schema's \(path) has no kind: write text, number, number 0...1, integer, truth, "
                + "date, anything, an object, or an array of one kind"
        }
    }
}
