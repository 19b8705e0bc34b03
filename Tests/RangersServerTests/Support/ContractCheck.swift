import Foundation
import HTTPServer

@testable import RangersServer

/// Compares a response with what `GET /openapi.json` says of its route. Every response that a test
/// receives is compared.
enum ContractCheck {
    private static let router = Router(Routes.all)

    /// What a response does not keep.
    static func findings(
        in response: Response, body: Value?, to method: Method, _ path: String
    ) -> [String] {
        guard case .found(let route, _) = router.match(Request(method: method, path: path)),
            let contract = route.described
        else { return [] }
        let type = response.headers.first { $0.name == "content-type" }?.value
        guard response.status != contract.status else {
            return success(contract.content, type, body)
        }
        guard response.status != 304 else { return [] }
        var findings: [String] = []
        if !route.problems.contains(response.status) {
            findings.append("status \(response.status) is not in the contract")
        }
        if type != "application/problem+json" { findings.append("\(type ?? "no type")") }
        return findings + OpenAPI.problemSchema.findings(in: body ?? .null, at: "problem")
    }

    private static func success(
        _ content: Contract.Content, _ type: String?, _ body: Value?
    ) -> [String] {
        switch content {
        case .nothing: type == nil ? [] : ["a body of \(type ?? "")"]
        case .events: type == "text/event-stream" ? [] : ["\(type ?? "no type")"]
        case .text(let expected): type == expected ? [] : ["\(type ?? "no type")"]
        case .json(let schema): schema.findings(in: body ?? .null, at: "body")
        }
    }
}

extension JSONSchema {
    /// What a value of a response does not keep. Stricter than the schema: a field that it does not
    /// name is one that nobody has described.
    func findings(in value: Value, at place: String) -> [String] {
        switch self {
        case .string: value.string == nil ? ["\(place) is no string"] : []
        case .boolean: value.bool == nil ? ["\(place) is no boolean"] : []
        case .truth: value.bool == true ? [] : ["\(place) is not true"]
        case .null: value.isNull ? [] : ["\(place) is not null"]
        case .choice(let texts):
            texts.contains(value.string ?? "") ? [] : ["\(place) has another text"]
        case .integer(let range):
            if let number = value.number.flatMap({ Int(exactly: $0) }),
                range?.contains(number) ?? true
            {
                []
            } else {
                ["\(place) is no such integer"]
            }
        case .number(let range):
            if let number = value.number, range?.contains(number) ?? true {
                []
            } else {
                ["\(place) is no such number"]
            }
        case .array(let element, _):
            if case .array(let items) = value {
                items.enumerated().flatMap {
                    element.findings(in: $0.element, at: "\(place)[\($0.offset)]")
                }
            } else {
                ["\(place) is no array"]
            }
        case .object(let properties, _): Self.findings(in: value, of: properties, at: place)
        case .any(let schemas):
            schemas.map { $0.findings(in: value, at: place) }.min { $0.count < $1.count } ?? []
        case .named(_, let schema): schema.findings(in: value, at: place)
        }
    }

    private static func findings(
        in value: Value, of properties: [Property], at place: String
    ) -> [String] {
        guard case .object(let fields) = value else { return ["\(place) is no object"] }
        // Documents of documents, such as this API's description, are open.
        guard !properties.isEmpty else { return [] }
        let unknown = Set(fields.keys).subtracting(properties.map(\.name)).sorted()
        return unknown.map { "\(place).\($0) is not in the contract" }
            + properties.flatMap { property -> [String] in
                let place = "\(place).\(property.name)"
                guard let field = fields[property.name] else {
                    return property.presence == .required ? ["\(place) is missing"] : []
                }
                return property.schema.findings(in: field, at: place)
            }
    }
}
