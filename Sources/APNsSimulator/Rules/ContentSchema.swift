internal import APNsClient

/// What a default `JSONDecoder` insists on in an app's `ContentState`.
package struct ContentSchema: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case text
        case number(ClosedRange<Double>)
    }

    package struct Field: Hashable, Sendable {
        package let name: String
        package let kind: Kind

        package init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// The fields that are not optional.
    package let required: [Field]

    package init(required: [Field]) { self.required = required }

    /// The state of Apple's sample, `AdventureAttributes.ContentState`.
    package static let adventure = ContentSchema(required: [
        Field("currentHealthLevel", .number(0...1)),
        Field("eventDescription", .text),
    ])

    func mismatches(in state: JSONValue) -> [String] {
        required.compactMap { field in
            let name = "content-state.\(field.name)"
            guard let value = state[field.name] else {
                return "\(name) is missing: the device drops the push."
            }
            switch field.kind {
            case .text:
                return value.text == nil ? "\(name) is no text: the device drops the push." : nil
            case .number(let range):
                guard let number = value.number else {
                    return "\(name) is no number: the device drops the push."
                }
                guard !range.contains(number) else { return nil }
                return "\(name) is \(number), outside \(range.lowerBound)…\(range.upperBound)."
            }
        }
    }
}
