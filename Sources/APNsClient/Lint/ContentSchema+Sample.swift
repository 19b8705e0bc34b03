internal import FoundationEssentials
internal import JSONReader

extension ContentSchema {
    /// Derives the schema from a value of the app's own type, such as one from a preview.
    ///
    /// Compares the value's properties with the output of a default `JSONEncoder`. Fill the
    /// optional properties: a `nil` reveals only its name. A property that `CodingKeys` renames is
    /// known by its JSON alone and counts as required.
    ///
    /// - Parameter sample: A value with named properties.
    /// - Throws: `PayloadError` if the value cannot be encoded, or not as an object.
    public init(sample: some Encodable) throws(PayloadError) {
        let bytes = try SlowContent.bytes(of: sample, key: "sample")
        guard let json = JSONValue(Array(bytes)) else {
            throw .notAnObject(key: "sample", type: "\(type(of: sample))")
        }
        self.init(json, like: sample)
    }

    fileprivate init(_ json: JSONValue, like value: Any?) {
        var properties: [String: Any] = [:]
        // An optional of an optional would be reflected as such, without the inner properties.
        if let value {
            for child in Mirror(reflecting: value).children {
                if let label = child.label { properties[label] = child.value }
            }
        }
        let written = (json.fields ?? []).map { field in
            Field(field.name, json: field.value, like: properties[field.name])
        }
        let names = Set(written.map(\.name))
        let unwritten = properties.keys.sorted().filter { name in
            !names.contains(name) && Self.isNil(properties[name])
        }
        self.init(written + unwritten.map { Field($0, .anything, .optional) })
    }

    private static func isNil(_ value: Any?) -> Bool {
        guard let value else { return false }
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }
}

extension ContentSchema.Field {
    fileprivate init(_ name: String, json: JSONValue, like property: Any?) {
        let mirror = property.map { Mirror(reflecting: $0) }
        guard mirror?.displayStyle == .optional else {
            self.init(name, ContentSchema.Kind(json, like: property))
            return
        }
        let wrapped = mirror?.children.first?.value
        self.init(name, ContentSchema.Kind(json, like: wrapped), .optional)
    }
}

extension ContentSchema.Kind {
    /// Infers the kind from the JSON, and from the property where one JSON form has several kinds.
    fileprivate init(_ json: JSONValue, like value: Any?) {
        let style = value.map { Mirror(reflecting: $0).displayStyle } ?? nil
        switch json {
        case .null: self = .anything
        case .truth: self = .truth
        case .text: self = .text
        case .integer, .number:
            self = value is Date ? .date : value is any BinaryInteger ? .integer : .number()
        case .array(let elements):
            let first = elements.first.map { json in
                Self(json, like: value.flatMap { Mirror(reflecting: $0).children.first?.value })
            }
            self = .array(first ?? .anything)
        case .object:
            // A dictionary's keys are data; only a type's keys are a schema.
            self =
                style == .dictionary ? .anything : .object(ContentSchema(json, like: value))
        }
    }
}
