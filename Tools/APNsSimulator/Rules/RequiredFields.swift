internal import APNsClient

/// What a default `JSONDecoder` requires of the app's `ContentState`, prepared for the scan: the
/// first level of a schema, without its optional fields.
struct RequiredFields: Hashable, Sendable {
    private let all: [ContentSchema.Field]
    /// Their names in JSON.
    private let names: [[UInt8]]

    /// One bit each in a word: a device's state has far fewer.
    private static let countMax = 64

    init(_ schema: ContentSchema) {
        all = schema.fields.filter { $0.presence == .required }
        precondition(
            all.count <= Self.countMax,
            "a schema of \(all.count) fields; \(Self.countMax) are the most")
        names = all.map { Array($0.name.utf8) }
    }

    /// Returns the index of the field with this name.
    func place(of name: JSONScan.Text, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        names.firstIndex { text in
            text.withUnsafeBufferPointer { name.reads($0, in: bytes) }
        }
    }

    /// The result of `fitting(in:)` for a valid state.
    var allFitting: UInt64 {
        all.count == Self.countMax ? .max : 1 << UInt64(all.count) - 1
    }

    // MARK: In a tree

    /// Returns a bit for each field that is present and valid.
    func fitting(in state: JSONValue) -> UInt64 {
        var fitting: UInt64 = 0
        for (place, field) in all.enumerated() where mismatch(field, in: state) == nil {
            fitting |= 1 << UInt64(place)
        }
        return fitting
    }

    /// Returns the faults as sentences.
    func mismatches(in state: JSONValue) -> [String] { all.compactMap { mismatch($0, in: state) } }

    private func mismatch(_ field: ContentSchema.Field, in state: JSONValue) -> String? {
        let name = "content-state.\(field.name)"
        guard let value = state[field.name] else {
            return "\(name) is missing: the device drops the push."
        }
        guard field.kind.takes(value) else {
            return "\(name) is no \(field.kind.noun): the device drops the push."
        }
        guard case .number(let range?) = field.kind, let number = value.number,
            !range.contains(number)
        else { return nil }
        return "\(name) is \(number), outside \(range.lowerBound)…\(range.upperBound)."
    }

    // MARK: In a scan

    /// Skips a field's value; returns whether it is valid.
    func fits(_ place: Int, _ scan: inout JSONScan) throws(JSONScan.Broken) -> Bool {
        switch (all[place].kind, scan.start) {
        case (.number(let range), .number):
            let number = try scan.number()
            return range?.contains(number) ?? true
        case (.integer, .number): return try scan.number().isWhole
        case (.text, .string), (.date, .number), (.array, .array), (.object, .object),
            (.anything, _):
            try scan.skip()
            return true
        case (.truth, .word):
            let isNull = scan.bytes[scan.index] == UInt8(ascii: "n")
            try scan.skip()
            return !isNull
        case (.text, _), (.number, _), (.integer, _), (.truth, _), (.date, _), (.array, _),
            (.object, _):
            try scan.skip()
            return false
        }
    }
}

extension ContentSchema.Kind {
    /// Returns whether a decoder reads this kind from the value, regardless of nested values.
    fileprivate func takes(_ value: JSONValue) -> Bool {
        switch self {
        case .text: value.text != nil
        case .number, .date: value.number != nil
        case .integer: value.number?.isWhole ?? false
        case .truth: if case .truth = value { true } else { false }
        case .array: value.elements != nil
        case .object: value.fields != nil
        case .anything: true
        }
    }

    fileprivate var noun: String {
        switch self {
        case .text: "text"
        case .number, .date: "number"
        case .integer: "whole number"
        case .truth: "true or false"
        case .array: "array"
        case .object: "object"
        case .anything: "value"
        }
    }
}

extension Double {
    fileprivate var isWhole: Bool { self == rounded() }
}
