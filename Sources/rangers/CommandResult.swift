internal import OptionParsing

/// The final message of a command, with a matching exit code.
enum CommandResult {
    /// Success: to standard output, exit code 0.
    case done(String)
    /// Failure: to standard error, exit code 1.
    case failed(String)

    /// Does the work and prints its result; an error counts as a failure.
    static func of(
        _ command: String, _ work: () async throws -> CommandResult
    ) async -> Int32 {
        let result: CommandResult
        do { result = try await work() } catch { result = .failed("\(command): \(error)") }
        switch result {
        case .done(let text):
            // An empty list prints no line.
            if !text.isEmpty { Terminal.print(text + "\n") }
            return 0
        case .failed(let text):
            Terminal.complain(text)
            return 1
        }
    }
}
