internal import APNsClient
internal import OptionParsing
internal import RangersServer

/// The schemas that `rangers lint` finds by name or reads from a file.
enum LintSchema {
    /// Returns the schema of `--schema`; `nil`: none.
    static func named(in values: OptionValues) throws(OptionsError) -> LiveActivitySchema? {
        switch try values.required("schema") {
        case "none": return nil
        case "adventure": return .adventure
        case let file:
            guard let bytes = OptionFile.bytes(file) else {
                throw values.invalid("schema", expected: "adventure, none, or a readable file")
            }
            do { return try LiveActivitySchema(json: bytes) } catch {
                throw values.invalid("schema", expected: "a schema: \(error)")
            }
        }
    }
}
