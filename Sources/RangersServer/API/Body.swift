internal import FoundationEssentials
internal import HTTPServer

/// A request's JSON body: parses it, or refuses it with the place and the fault.
enum Body {
    static func decode<Value: Decodable>(
        _ type: Value.Type, from request: Request
    ) throws(Problem) -> Value {
        // An empty body stands for an object without fields.
        let bytes = request.body.isEmpty ? Array("{}".utf8) : request.body
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw Problem.badRequest(explain(error))
        } catch {
            throw Problem.badRequest("The body is not JSON.")
        }
    }

    /// Checks the body of endpoints without fields: empty, or any JSON object.
    static func expectNothing(in request: Request) throws(Problem) {
        _ = try decode([String: AnyValue].self, from: request)
    }

    /// A value that is ignored.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func explain(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "The field \(path(context, key)) is missing."
        case .typeMismatch(let type, let context):
            "The field \(path(context)) must be \(name(of: type))."
        case .valueNotFound(let type, let context):
            "The field \(path(context)) is null, but must be \(name(of: type))."
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "The body is not JSON (UTF-8)."
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
