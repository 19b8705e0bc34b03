/// The values of a command's options. Reading an option that the table lacks is a programming
/// error.
package struct OptionValues: Sendable {
    /// The arguments without a flag, in order.
    package let operands: [String]
    private var found: [String: Found] = [:]
    private let command: String

    /// A value with its source.
    private struct Found: Sendable {
        let option: Option
        var texts: [String]
        var source: String
        var isTyped = false
    }

    /// Applies the precedence: flag, variable, default.
    init(
        _ table: Options, given: [String: [String]], operands: [String],
        environment: [String: String]
    ) throws(OptionsError) {
        self.operands = operands
        command = table.command
        for option in table.options {
            if let texts = given[option.name] {
                found[option.name] = Found(
                    option: option, texts: texts, source: option.flag, isTyped: true)
            } else if let text = environment[option.variable], !text.isEmpty {
                let list = text.split(separator: ",").map(String.init)
                found[option.name] = Found(
                    option: option, texts: option.kind == .list ? list : [text],
                    source: option.variable)
            } else {
                let preset = option.defaultValue.map { [$0] } ?? []
                found[option.name] = Found(option: option, texts: preset, source: option.flag)
            }
            if option.kind == .toggle { _ = try truth(option.name) }
        }
    }

    // MARK: Texts

    /// Returns the value, or `nil` without a value and a default.
    package func text(_ name: String) -> String? {
        entry(name).texts.first
    }

    /// Returns whether the value was given by the flag, not by a variable or a default.
    package func isTyped(_ name: String) -> Bool { entry(name).isTyped }

    /// Returns the value of a mandatory option.
    package func required(_ name: String) throws(OptionsError) -> String {
        let entry = entry(name)
        guard let text = entry.texts.first, !text.isEmpty else {
            throw .missing(
                flag: entry.option.flag, variable: entry.option.variable,
                purpose: entry.option.summary)
        }
        return text
    }

    /// Throws unless all of them have values; the error lists all that have none.
    package func requireAll(_ names: [String]) throws(OptionsError) {
        let missing = names.filter { text($0)?.isEmpty ?? true }
        guard missing.count > 1 else {
            for name in missing { _ = try required(name) }
            return
        }
        throw .allMissing(flags: missing.map { entry($0).option.flag }, command: command)
    }

    /// Returns all values of a `.list` option, in order.
    package func texts(_ name: String) -> [String] {
        entry(name).texts
    }

    // MARK: Typed values

    /// Returns whether a `.toggle` is on; its value was checked while parsing.
    package func isOn(_ name: String) -> Bool {
        (try? truth(name)) ?? false
    }

    /// Returns an integer within the bounds.
    package func integer(
        _ name: String, in range: ClosedRange<Int64>
    ) throws(OptionsError) -> Int64? {
        try within(range, name, "a whole number")
    }

    /// Returns a finite number within the bounds.
    package func number(
        _ name: String, in range: ClosedRange<Double>
    ) throws(OptionsError) -> Double? {
        try within(range, name, "a number")
    }

    private func within<Number: LosslessStringConvertible>(
        _ range: ClosedRange<Number>, _ name: String, _ noun: String
    ) throws(OptionsError) -> Number? {
        guard let text = text(name) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw invalid(
                name, expected: "\(noun) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns one of an enum's raw values.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(OptionsError) -> Choice? {
        guard let text = text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = type.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid(name, expected: "one of \(words)")
        }
        return choice
    }

    /// Returns a `HOST:PORT`, with an IPv6 host in brackets. Port 0 lets the system choose.
    package func address(
        _ name: String
    ) throws(OptionsError) -> (host: String, port: UInt16) {
        let text = try required(name)
        let expected = "HOST:PORT, such as 127.0.0.1:8080"
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { throw invalid(name, expected: expected) }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, isBracketed || !host.contains(":") else {
            throw invalid(name, expected: expected)
        }
        return (String(host), port)
    }

    /// Returns the error for a value that a command's own check refused, which for an option that
    /// may be repeated is `value`: `expected` ends the sentence "… must be".
    package func invalid(
        _ name: String, value: String? = nil, expected: String
    ) -> OptionsError {
        let entry = entry(name)
        let text = value ?? entry.texts.first ?? ""
        let shown = entry.option.visibility == .shown ? "'\(text)'" : "a hidden value"
        return .invalid(source: entry.source, value: shown, expected: expected)
    }

    // MARK: Looking up

    private func truth(_ name: String) throws(OptionsError) -> Bool {
        switch text(name) {
        case "true", "1", "yes": return true
        case nil, "false", "0", "no": return false
        case .some: throw invalid(name, expected: "true or false")
        }
    }

    private func entry(_ name: String) -> Found {
        guard let entry = found[name] else {
            preconditionFailure("no option is called \(name)")
        }
        return entry
    }
}
