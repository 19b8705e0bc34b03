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
    /// Their names as a body spells them.
    private let names: [[UInt8]]

    /// At most 64 fields.
    package init(required: [Field]) {
        precondition(required.count <= 64, "a schema of \(required.count) fields; 64 are the most")
        self.required = required
        names = required.map { Array($0.name.utf8) }
    }

    /// The state of Apple's sample, `AdventureAttributes.ContentState`.
    package static let adventure = ContentSchema(required: [
        Field("currentHealthLevel", .number(0...1)),
        Field("eventDescription", .text),
    ])

    /// Which of the fields this is.
    func place(of name: JSONScan.Text, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        names.firstIndex { text in
            text.withUnsafeBufferPointer { name.reads($0, in: bytes) }
        }
    }

    /// What `fitting(in:)` gives when nothing is amiss.
    var allFitting: UInt64 {
        required.count == 64 ? .max : 1 << UInt64(required.count) - 1
    }

    /// A bit for each field that is there as it should be.
    func fitting(in state: JSONValue) -> UInt64 {
        var fitting: UInt64 = 0
        for (place, field) in required.enumerated() where mismatch(field, in: state) == nil {
            fitting |= 1 << UInt64(place)
        }
        return fitting
    }

    func mismatches(in state: JSONValue) -> [String] {
        required.compactMap { mismatch($0, in: state) }
    }

    private func mismatch(_ field: Field, in state: JSONValue) -> String? {
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
