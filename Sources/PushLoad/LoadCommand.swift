/// `push-load`: the client of a bench and nothing else, as h2load is, so that its memory is the
/// library's own.
package enum LoadCommand {
    /// Sends or encodes, as the arguments say.
    ///
    /// - Parameter arguments: Those that `LoadSettings` or `EncodeRun` wrote.
    /// - Returns: What it prints.
    /// - Throws: When the arguments are not such, or a push was not accepted.
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
