/// What a command tells a person at its end: words, and an exit code that agrees with them.
enum Verdict {
    /// It was done: to standard output, exit code 0.
    case done(String)
    /// It was not: to standard error, exit code 1.
    case failed(String)

    /// Does the work and prints its verdict; an error is one too.
    static func of(
        _ command: String, _ work: () async throws -> Verdict
    ) async -> Int32 {
        let verdict: Verdict
        do { verdict = try await work() } catch { verdict = .failed("\(command): \(error)") }
        switch verdict {
        case .done(let text):
            // Of nothing there is no line: an empty list has none.
            if !text.isEmpty { Terminal.print(text + "\n") }
            return 0
        case .failed(let text):
            Terminal.complain(text)
            return 1
        }
    }
}
