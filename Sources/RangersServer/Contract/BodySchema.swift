/// The schema of a request's body, from the type that decodes it: the type's own `init(from:)` names
/// each field and its type to a decoder that only takes notes.
enum BodySchema {
    static func of(_ body: (some BodyFields).Type) -> JSONSchema {
        let notes = Notes()
        // It always succeeds: the decoder has a value for each type that bodies consist of. One of
        // another type would be missing, and the tests of the contract would find that.
        _ = try? body.init(from: NotingDecoder(notes: notes))
        assert(
            Set(body.narrower.keys).isSubset(of: notes.properties.map(\.name)),
            "\(body).narrower has a field that the body does not have")
        let properties = notes.properties.map { property in
            JSONSchema.Property(
                name: property.name, schema: body.narrower[property.name] ?? property.schema,
                presence: property.presence)
        }
        return .object(properties, .refused)
    }

    fileprivate final class Notes {
        var properties: [JSONSchema.Property] = []

        func add(
            _ key: any CodingKey, _ schema: JSONSchema, _ presence: JSONSchema.Property.Presence
        ) {
            properties.append(
                JSONSchema.Property(name: key.stringValue, schema: schema, presence: presence))
        }
    }

    /// Returns the schema of a field's type.
    fileprivate static func schema(of type: Any.Type) -> JSONSchema {
        switch type {
        case is String.Type: .text
        case is Bool.Type: .boolean
        case is Int.Type, is Int64.Type: .integer(nil)
        case is Double.Type: .number(nil)
        case let choice as any CaseIterable.Type: .choice(names(of: choice))
        case let list as any ListType.Type: .array(schema(of: list.element), countMax: nil)
        case let body as any BodyFields.Type: of(body)
        default: .null
        }
    }

    private static func names<Choice: CaseIterable>(of choice: Choice.Type) -> [String] {
        choice.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }

    /// Returns any value of a field's type.
    fileprivate static func sample<Value: Decodable>(of type: Value.Type) throws -> Value {
        let sample: Any? =
            switch type {
            case is String.Type: ""
            case is Bool.Type: false
            case is Int.Type: 0
            case is Int64.Type: Int64(0)
            case is Double.Type: 0.0
            case let choice as any CaseIterable.Type: first(of: choice)
            case let list as any ListType.Type: list.empty
            default: try type.init(from: NotingDecoder(notes: Notes()))
            }
        guard let value = sample as? Value else { throw Unknown() }
        return value
    }

    private static func first<Choice: CaseIterable>(of choice: Choice.Type) -> Any? {
        choice.allCases.first
    }

    fileprivate struct Unknown: Error {}
}

/// Arrays, whatever their elements are.
private protocol ListType {
    static var element: Any.Type { get }
    static var empty: Any { get }
}

extension Array: ListType {
    static var element: Any.Type { Element.self }
    static var empty: Any { Self() }
}

/// Notes the fields that a type decodes.
private struct NotingDecoder: Decoder {
    let notes: BodySchema.Notes
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields<Key>(notes: notes))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw BodySchema.Unknown() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw BodySchema.Unknown()
    }
}

/// The fields of an object: each one that is decoded is noted.
private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let notes: BodySchema.Notes
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    private func required<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        notes.add(key, BodySchema.schema(of: type), .required)
        return try BodySchema.sample(of: type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try required(type, key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        notes.add(key, BodySchema.schema(of: type), .optional)
        return nil
    }

    // Swift calls these for its own types.
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(type, key) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try required(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try required(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try required(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try required(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try required(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try required(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try required(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try required(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try required(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try required(type, key) }

    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        notes.add(key, BodySchema.schema(of: type), .optional)
        return nil
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }

    func decodeNil(forKey key: Key) -> Bool { false }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw BodySchema.Unknown() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw BodySchema.Unknown()
    }

    func superDecoder() throws -> any Decoder { throw BodySchema.Unknown() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw BodySchema.Unknown() }
}
