internal import APNsClient
internal import JSONReader

/// A missing, invalid or unknown field of a control request, described in a sentence.
struct FieldError: Error, Hashable {
    let sentence: String
}

/// The fields of a JSON object, each to be read once. A field that is not read is an error, so that
/// misspelt names are detected.
struct ControlFields {
    private var fields: [String: JSONValue] = [:]
    private var known: [String] = []

    /// Parses the fields; an empty body has none.
    init(_ body: [UInt8]) throws(FieldError) {
        guard !body.isEmpty else { return }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: body)
        } catch {
            throw FieldError(sentence: "The body is not JSON: \(error).")
        }
        guard let fields = json.fields else {
            throw FieldError(sentence: "The body must be a JSON object.")
        }
        for field in fields {
            guard self.fields.updateValue(field.value, forKey: field.name) == nil else {
                throw FieldError(sentence: "'\(field.name)' occurs twice.")
            }
        }
    }

    /// Throws if fields are left; call it last.
    func finish() throws(FieldError) {
        guard let name = fields.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw FieldError(
            sentence:
                "'\(name)' is not a field of this request; known are \(known.joined(separator: ", "))."
        )
    }

    mutating func text(_ name: String) throws(FieldError) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.text else { throw wrong(name, "a text") }
        return text
    }

    mutating func texts(_ name: String) throws(FieldError) -> [String] {
        guard let value = take(name) else { return [] }
        let texts = value.elements?.compactMap(\.text)
        guard let texts, texts.count == value.elements?.count else {
            throw wrong(name, "a list of strings")
        }
        return texts
    }

    mutating func integer(
        _ name: String, in range: ClosedRange<Int>
    ) throws(FieldError) -> Int? {
        guard let value = take(name) else { return nil }
        guard let number = value.integer.flatMap(Int.init(exactly:)), range.contains(number) else {
            throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func fraction(_ name: String) throws(FieldError) -> Double? {
        guard let value = take(name) else { return nil }
        guard let number = value.number, (0...1).contains(number) else {
            throw wrong(name, "a number from 0 to 1")
        }
        return number
    }

    /// Reads one of an enum's words.
    mutating func choice<Choice>(
        _ name: String, of type: Choice.Type
    ) throws(FieldError) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let word = try text(name) else { return nil }
        guard let choice = Choice(rawValue: word) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong(name, "one of \(words)")
        }
        return choice
    }

    private mutating func take(_ name: String) -> JSONValue? {
        known.append(name)
        return fields[name] == .null ? nil : fields[name]
    }

    private func wrong(_ name: String, _ expected: String) -> FieldError {
        FieldError(sentence: "'\(name)' must be \(expected).")
    }
}

extension Optional {
    /// Reads a mandatory field.
    func required(_ name: String) throws(FieldError) -> Wrapped {
        guard let self else { throw FieldError(sentence: "'\(name)' is missing.") }
        return self
    }
}
