internal import JSONReader

extension ContentSchema {
    /// A place where a payload differs from the app's type.
    struct Mismatch: Hashable, Sendable {
        let path: String
        let kind: Kind

        /// How they differ.
        enum Kind: Hashable, Sendable {
            case missing
            case unknown
            case wrongType(expected: String, found: String)
            case outOfRange(Double, ClosedRange<Double>)
            case dateSince1970(Double)
        }
    }

    /// Returns every mismatch within an object, missing fields first.
    func mismatches(in object: JSONValue, at path: String) -> [Mismatch] {
        let declared = fields.flatMap { field -> [Mismatch] in
            let place = "\(path).\(field.name)"
            switch (object[field.name], field.presence) {
            case (nil, .required): return [Mismatch(path: place, kind: .missing)]
            case (nil, .optional), (.null, .optional): return []
            case (let value?, _): return field.kind.mismatches(in: value, at: place)
            }
        }
        let names = Set(fields.map(\.name))
        let unknown = (object.fields ?? []).filter { !names.contains($0.name) }
        return declared + unknown.map { Mismatch(path: "\(path).\($0.name)", kind: .unknown) }
    }
}

extension ContentSchema.Kind {
    /// After the year 2032 in seconds since 2001, and in the past in seconds since 1970.
    private static let epochLikeSeconds = 1_000_000_000.0

    fileprivate func mismatches(
        in value: JSONValue, at path: String
    ) -> [ContentSchema.Mismatch] {
        func wrong() -> [ContentSchema.Mismatch] {
            let kind = ContentSchema.Mismatch.Kind.wrongType(
                expected: inWords, found: value.typeName)
            return [ContentSchema.Mismatch(path: path, kind: kind)]
        }
        switch self {
        case .anything: return []
        case .text: return value.text == nil ? wrong() : []
        case .integer: return value.integer == nil ? wrong() : []
        case .truth:
            if case .truth = value { return [] }
            return wrong()
        case .number(let range):
            guard let number = value.number else { return wrong() }
            guard let range, !range.contains(number) else { return [] }
            return [ContentSchema.Mismatch(path: path, kind: .outOfRange(number, range))]
        case .date:
            guard let number = value.number else { return wrong() }
            guard number > Self.epochLikeSeconds else { return [] }
            return [ContentSchema.Mismatch(path: path, kind: .dateSince1970(number))]
        case .array(let kind):
            guard let elements = value.elements else { return wrong() }
            return elements.enumerated().flatMap { kind.mismatches(in: $1, at: "\(path)[\($0)]") }
        case .object(let schema):
            return value.fields == nil ? wrong() : schema.mismatches(in: value, at: path)
        }
    }

    private var inWords: String {
        switch self {
        case .text: "text"
        case .number: "a number"
        case .integer: "a whole number"
        case .truth: "true or false"
        case .date: "a number of seconds since 2001"
        case .array: "an array"
        case .object: "an object"
        case .anything: "anything"
        }
    }
}
