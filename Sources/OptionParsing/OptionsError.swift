/// What is wrong with a command line. Secret values are never shown.
package enum OptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknown(flag: String, suggestion: String?, command: String)
    case missingValue(flag: String, placeholder: String)
    case repeated(flag: String)
    /// An argument where only flags are allowed.
    case unexpected(argument: String)
    /// A mandatory option without a value.
    case missing(flag: String, variable: String, purpose: String)
    /// Several of them, reported together so that new users need not find them one by one.
    case allMissing(flags: [String], command: String)
    /// `source` is the flag or the variable of the value.
    case invalid(source: String, value: String, expected: String)

    /// One sentence with what to do.
    package var description: String {
        switch self {
        case .unknown(let flag, let suggestion?, _):
            "There is no option \(flag); did you mean \(suggestion)?"
        case .unknown(let flag, nil, let command):
            "There is no option \(flag); \(command) --help lists all of them."
        case .missingValue(let flag, let placeholder):
            "\(flag) needs a value: \(flag) \(placeholder)."
        case .repeated(let flag):
            "\(flag) is given twice; give it once."
        case .unexpected(let argument):
            "'\(argument)' is not an option; options begin with --."
        case .missing(let flag, let variable, let purpose):
            "\(flag) is missing (\(purpose)); give it, or set \(variable)."
        case .allMissing(let flags, let command):
            "\(flags.joined(separator: ", ")) are missing; \(command) --help describes them."
        case .invalid(let source, let value, let expected):
            "\(source) is \(value), but must be \(expected)."
        }
    }
}
