internal import JSONReader

/// What a JSON Schema refuses, with the keywords that `PackSchema` uses. Any other is a fault.
enum SchemaValidator {
    static func faults(
        in value: JSONValue, by schema: JSONValue, at path: String = ""
    ) -> [String] {
        if case .truth(let accepts) = schema { return accepts ? [] : ["\(path) is not allowed"] }
        return (schema.fields ?? []).flatMap { keyword in
            faults(in: value, keyword.name, keyword.value, of: schema, at: path)
        }
    }

    private static func faults(
        in value: JSONValue, _ keyword: String, _ rule: JSONValue, of schema: JSONValue,
        at path: String
    ) -> [String] {
        func fault(_ isMet: Bool) -> [String] { isMet ? [] : ["\(path) breaks \(keyword)"] }
        switch keyword {
        case "$schema", "title", "description", "then": return []
        case "type": return fault(type(of: value).contains(rule.text ?? ""))
        case "enum": return fault(rule.elements?.contains(value) == true)
        case "const": return fault(rule == value)
        case "anyOf":
            let choices = rule.elements ?? []
            return fault(choices.contains { faults(in: value, by: $0, at: path).isEmpty })
        case "allOf": return (rule.elements ?? []).flatMap { faults(in: value, by: $0, at: path) }
        case "if":
            let applies = faults(in: value, by: rule, at: path).isEmpty
            return applies ? faults(in: value, by: schema["then"] ?? .truth(true), at: path) : []
        default: break
        }
        switch value {
        case .text(let text): return fault(isMet(keyword, rule, by: text))
        case .integer(let number): return fault(isMet(keyword, rule, by: number))
        case .array(let values): return faults(in: values, keyword, rule, at: path)
        case .object(let fields): return faults(in: fields, keyword, rule, of: schema, at: path)
        case .number, .truth, .null: return []
        }
    }

    private static func type(of value: JSONValue) -> [String] {
        switch value {
        case .text: ["string"]
        case .integer: ["integer", "number"]
        case .number: ["number"]
        case .array: ["array"]
        case .object: ["object"]
        case .truth: ["boolean"]
        case .null: ["null"]
        }
    }

    private static func isMet(_ keyword: String, _ rule: JSONValue, by text: String) -> Bool {
        let length = Int64(text.unicodeScalars.count)
        switch keyword {
        case "pattern": return (try? Regex(rule.text ?? "").firstMatch(in: text)) != nil
        case "minLength": return length >= rule.integer ?? .max
        case "maxLength": return length <= rule.integer ?? .min
        default: return isOfOthers(keyword)
        }
    }

    private static func isMet(_ keyword: String, _ rule: JSONValue, by number: Int64) -> Bool {
        switch keyword {
        case "minimum": number >= rule.integer ?? .max
        case "maximum": number <= rule.integer ?? .min
        default: isOfOthers(keyword)
        }
    }

    private static func faults(
        in values: [JSONValue], _ keyword: String, _ rule: JSONValue, at path: String
    ) -> [String] {
        func fault(_ isMet: Bool) -> [String] { isMet ? [] : ["\(path) breaks \(keyword)"] }
        switch keyword {
        case "minItems": return fault(Int64(values.count) >= rule.integer ?? .max)
        case "maxItems": return fault(Int64(values.count) <= rule.integer ?? .min)
        case "items":
            return values.enumerated().flatMap { index, value in
                let schema = rule.elements.map {
                    $0.indices.contains(index) ? $0[index] : .truth(true)
                }
                return faults(in: value, by: schema ?? rule, at: "\(path)[\(index)]")
            }
        default: return fault(isOfOthers(keyword))
        }
    }

    private static func faults(
        in fields: [JSONValue.Field], _ keyword: String, _ rule: JSONValue, of schema: JSONValue,
        at path: String
    ) -> [String] {
        func fault(_ isMet: Bool) -> [String] { isMet ? [] : ["\(path) breaks \(keyword)"] }
        let names = fields.map(\.name)
        let known = schema["properties"]?.fields?.map(\.name) ?? []
        switch keyword {
        case "required":
            return fault((rule.elements ?? []).allSatisfy { names.contains($0.text ?? "") })
        case "properties":
            return fields.flatMap { field in
                rule[field.name].map {
                    faults(in: field.value, by: $0, at: "\(path).\(field.name)")
                } ?? []
            }
        case "additionalProperties":
            return fields.filter { !known.contains($0.name) }.flatMap {
                faults(in: $0.value, by: rule, at: "\(path).\($0.name)")
            }
        case "propertyNames":
            return names.flatMap { faults(in: .text($0), by: rule, at: "\(path).\($0)") }
        case "maxProperties": return fault(Int64(fields.count) <= rule.integer ?? .min)
        default: return fault(isOfOthers(keyword))
        }
    }

    /// Whether a keyword is one for values of another type.
    private static func isOfOthers(_ keyword: String) -> Bool {
        [
            "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems",
            "items", "required", "properties", "additionalProperties", "propertyNames",
            "maxProperties",
        ].contains(keyword)
    }
}
