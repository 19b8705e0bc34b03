/// `push-load`: a bench's client only, as h2load is, so that its memory is the library's own.
package enum LoadCommand {
    /// Sends or encodes, as the arguments specify.
    ///
    /// - Parameter arguments: The output of `LoadSettings` or `EncodeRun`.
    /// - Returns: The output to print.
    /// - Throws: When the arguments are invalid, or a push was not accepted.
    package static func output(_ arguments: [String]) async throws -> String {
        let values = try NamedValues(arguments.dropFirst())
        switch arguments.first {
        case "send": return try await Load.run(LoadSettings(values)).line
        case "encode": return "\(try EncodeRun(values).microseconds())\n"
        case let word:
            throw BenchError(
                "usage: push-load send|encode name=value …, as Scripts/bench calls it; "
                    + "there is no '\(word ?? "")'")
        }
    }
}
