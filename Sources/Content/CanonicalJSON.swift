internal import JSONReader
internal import JSONWriter

extension JSONValue {
    /// The same value, always in the same bytes: keys in byte order, no spaces.
    var canonical: [UInt8] {
        var json = JSONWriter()
        append(to: &json)
        return json.bytes
    }

    private func append(to json: inout JSONWriter) {
        switch self {
        case .object(let fields):
            json.beginObject()
            for field in Self.sorted(fields) {
                json.key(named: field.name)
                field.value.append(to: &json)
            }
            json.endObject()
        case .array(let values):
            json.beginArray()
            for value in values { value.append(to: &json) }
            json.endArray()
        case .integer(let number): json.value(number)
        case .number(let number): json.value(number)
        case .text(let text): json.value(text)
        case .truth(let truth): json.value(truth)
        case .null: json.null()
        }
    }

    /// The fields in byte order: dice follow the order of a table, so it must not depend on the
    /// editor that saved the file.
    static func sorted(_ fields: [Field]) -> [Field] {
        fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Returns the object without a key.
    func without(_ key: String) -> JSONValue {
        guard case .object(let fields) = self else { return self }
        return .object(fields.filter { $0.name != key })
    }
}

extension PackFault {
    /// Where a text stops being JSON, as an editor counts lines and columns.
    init(_ error: JSONError, in json: [UInt8], at path: String) {
        let before = json.prefix(error.offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        self.init(
            path, "line \(line), column \(column): it is not JSON; here should be \(error.expected)"
        )
    }
}
