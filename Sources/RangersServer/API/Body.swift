internal import APNsClient
internal import FoundationEssentials
internal import HTTPServer
internal import JSONReader

/// The fields of a request's body. Every other field is refused by name: a misspelt one would
/// otherwise count as omitted.
protocol BodyFields: Decodable, SendableMetatype {
    associatedtype CodingKeys: CodingKey & CaseIterable

    /// The bodies inside this one, by field: an object, or an array of objects.
    static var inner: [String: any BodyFields.Type] { get }

    /// The schemas of fields that allow less than their type, by field.
    static var narrower: [String: JSONSchema] { get }

    /// What takes a field's value away, by field, as a sentence: the answer to a `null`.
    static var removals: [String: String] { get }
}

extension BodyFields {
    static var inner: [String: any BodyFields.Type] { [:] }
    static var narrower: [String: JSONSchema] { [:] }
    static var removals: [String: String] { [:] }
    fileprivate static var fields: [String] { CodingKeys.allCases.map { $0.stringValue } }

    /// Not by `fields`, which are made again for each call.
    fileprivate static func hasField(_ name: String) -> Bool {
        CodingKeys(stringValue: name) != nil
    }
}

/// A request's JSON body: parses it, or refuses it with the place and the fault.
enum Body {
    /// The longest name of an unknown field that a refusal repeats.
    private static let nameShownMax = 30

    static func decode<Value: BodyFields>(
        _ type: Value.Type, from request: Request
    ) throws(Problem) -> Value {
        // An empty body stands for an object without fields.
        let bytes = request.body.isEmpty ? Array("{}".utf8) : request.body
        try check(bytes, as: type)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw Problem.badRequest(explain(error))
        } catch {
            throw Problem.badRequest("The body is not JSON.")
        }
    }

    /// Checks the body of endpoints without fields: empty, or an empty JSON object.
    static func expectNothing(in request: Request) throws(Problem) {
        _ = try decode(Nothing.self, from: request)
    }

    /// A body without fields.
    struct Nothing: BodyFields {
        enum CodingKeys: CodingKey, CaseIterable {}
    }

    // MARK: Fields

    /// Checks what `JSONDecoder` lets pass: trailing commas, repeated and unknown fields, and `null`,
    /// which it takes for an omitted field.
    private static func check(
        _ bytes: [UInt8], as type: any BodyFields.Type
    ) throws(Problem) {
        let body: JSONValue
        do {
            body = try JSONValue(parsing: bytes)
        } catch {
            throw Problem.badRequest("The body is not JSON: \(error).")
        }
        guard case .object(let fields) = body else {
            throw Problem.badRequest("The body must be a JSON object.")
        }
        try check(fields, of: type, at: "")
    }

    /// Checks an object. `place` is where it is in the body, with a dot at its end: "activities.0."
    private static func check(
        _ fields: [JSONValue.Field], of type: any BodyFields.Type, at place: String
    ) throws(Problem) {
        var seen: Set<String> = []
        for field in fields {
            guard type.hasField(field.name) else {
                throw Problem.badRequest(
                    "\(shown(field.name, at: place)) is not known here; \(known(type.fields)).")
            }
            let name = place + field.name
            guard seen.insert(field.name).inserted else {
                throw Problem.badRequest("The field \"\(name)\" occurs twice.")
            }
            guard field.value != .null else {
                throw Problem.badRequest(
                    "The field \"\(name)\" is null. "
                        + (type.removals[field.name] ?? "Omit it, or give it a value."))
            }
            guard let inner = type.inner[field.name] else { continue }
            for (index, element) in (field.value.elements ?? []).enumerated() {
                guard case .object(let fields) = element else { continue }
                try check(fields, of: inner, at: "\(name).\(index).")
            }
            if case .object(let fields) = field.value {
                try check(fields, of: inner, at: "\(name).")
            }
        }
    }

    /// Only what looks like a field's name is repeated: a client may have put a secret here.
    private static func shown(_ name: String, at place: String) -> String {
        guard name.utf8.allSatisfy(Text.isLetter), (1...nameShownMax).contains(name.utf8.count)
        else {
            return "A field of the body"
        }
        return "The field \"\(place)\(name)\""
    }

    private static func known(_ fields: [String]) -> String {
        guard !fields.isEmpty else { return "this request has no fields" }
        return "known are " + fields.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    // MARK: Values

    private static func explain(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "The field \(path(context, key)) is missing."
        case .typeMismatch(let type, let context):
            "The field \(path(context)) must be \(name(of: type))."
        case .valueNotFound(let type, let context):
            "The field \(path(context)) is null, but must be \(name(of: type))."
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "The body is not JSON (UTF-8), or a number in it is too large."
        case .dataCorrupted(let context):
            "The field \(path(context)) has an unknown value."
        @unknown default:
            "The body cannot be read."
        }
    }

    private static func path(
        _ context: DecodingError.Context, _ last: (any CodingKey)? = nil
    ) -> String {
        let keys = context.codingPath + (last.map { [$0] } ?? [])
        guard !keys.isEmpty else { return "(the whole body)" }
        return "\""
            + keys.map { $0.intValue.map(String.init) ?? $0.stringValue }
            .joined(separator: ".") + "\""
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type: "a whole number"
        case is Double.Type: "a number"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "of another type"
        }
    }
}
