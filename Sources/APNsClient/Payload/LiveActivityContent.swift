public import FoundationEssentials
internal import JSONWriter

/// A content state (or attributes) with a faster writer of its own.
///
/// Without it a default `JSONEncoder` writes the value, which takes some twenty times as long. Both
/// must produce the same JSON: test it.
///
/// ```swift
/// extension ContentState: LiveActivityContent {
///     func write(to json: inout JSONFields) {
///         json.field("currentHealthLevel", currentHealthLevel)
///         json.field("eventDescription", eventDescription)
///     }
/// }
/// ```
public protocol LiveActivityContent: Encodable, Sendable {
    /// Writes each property under its own name, except for optionals that are `nil`.
    func write(to json: inout JSONFields)
}

extension LiveActivityContent {
    /// Returns the JSON that a payload has of the value.
    public func encoded() throws(PayloadError) -> [UInt8] {
        var json = JSONWriter()
        var fields = JSONFields(continuing: &json)
        write(to: &fields)
        try fields.finish(into: &json, key: "content-state")
        return json.bytes
    }
}

/// A writer for the fields of one JSON object.
public struct JSONFields: Sendable {
    private var json: JSONWriter
    private var unwritable: String?

    /// Takes over the writer until `finish`. A second owner would copy the output so far.
    init(continuing json: inout JSONWriter) {
        self.json = JSONWriter(reserving: 0)
        swap(&self.json, &json)
        self.json.beginObject()
    }

    /// Writes a text.
    public mutating func field(_ name: String, _ value: String) {
        json.key(named: name)
        json.value(value)
    }

    /// Writes a whole number.
    public mutating func field(_ name: String, _ value: some BinaryInteger) {
        json.key(named: name)
        json.value(value)
    }

    /// Writes a number. Infinities and NaN make the payload's encoding throw.
    public mutating func field(_ name: String, _ value: Double) {
        guard value.isFinite else {
            unwritable = name
            return
        }
        json.key(named: name)
        json.value(value)
    }

    /// Writes a date in seconds since 2001, the format of a default `JSONDecoder`. (The payload's
    /// own dates are seconds since 1970.)
    public mutating func field(_ name: String, _ value: Date) {
        field(name, value.timeIntervalSinceReferenceDate)
    }

    /// Writes a Boolean.
    public mutating func field(_ name: String, _ value: Bool) {
        json.key(named: name)
        json.value(value)
    }

    /// Writes an object within the object.
    public mutating func object(_ name: String, _ body: (inout JSONFields) -> Void) {
        json.key(named: name)
        json.beginObject()
        body(&self)
        json.endObject()
    }

    /// Writes an array of objects within the object.
    public mutating func array<Element>(
        _ name: String, _ elements: [Element], _ body: (inout JSONFields, Element) -> Void
    ) {
        json.key(named: name)
        json.beginArray()
        for element in elements {
            json.beginObject()
            body(&self, element)
            json.endObject()
        }
        json.endArray()
    }

    mutating func finish(into json: inout JSONWriter, key: StaticString) throws(PayloadError) {
        if let unwritable { throw .notANumber(key: "\(key).\(unwritable)") }
        self.json.endObject()
        swap(&self.json, &json)
    }
}

/// Encodes a value with a default `JSONEncoder`.
enum SlowContent {
    static func bytes(of value: some Encodable, key: StaticString) throws(PayloadError) -> Data {
        let data: Data
        do {
            data = try JSONEncoder().encode(value)
        } catch {
            // The error's own text may contain the value.
            throw .notEncodable(key: "\(key)", type: "\(type(of: value))")
        }
        guard data.first == UInt8(ascii: "{") else {
            throw .notAnObject(key: "\(key)", type: "\(type(of: value))")
        }
        return data
    }
}

/// Why a payload cannot be encoded.
public enum PayloadError: Error, Hashable, Sendable {
    /// APNs would return 413.
    case tooLarge(bytes: Int, limit: Int)
    /// A date that is not in seconds since 1970.
    case badDate(key: String, value: Int64)
    /// JSON has no infinities and no NaN.
    case notANumber(key: String)
    /// The value's own `encode(to:)` threw.
    case notEncodable(key: String, type: String)
    /// The value is not a JSON object.
    case notAnObject(key: String, type: String)
}

extension PayloadError: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let bytes, let limit):
            "the payload has \(bytes) bytes, APNs accepts \(limit): shorten the content state"
        case .badDate(let key, let value):
            "\(key) is \(value), which is not in seconds since 1970: is it in milliseconds?"
        case .notANumber(let key): "\(key) is not a finite number, which JSON cannot hold"
        case .notEncodable(let key, let type): "\(key) of type \(type) could not be encoded"
        case .notAnObject(let key, let type):
            "\(key) of type \(type) is not a JSON object: use a struct with named properties"
        }
    }
}
