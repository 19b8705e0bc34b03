internal import Foundation
internal import RangersServer

/// A subcommand of `rangers`: made in a file of its own, listed in `Rangers.commands`.
///
/// ```swift
/// enum Lint {
///     static let command = Command("lint", "Says what a phone would drop", run: run)
/// }
/// ```
struct Command: Sendable {
    /// What a person types after `rangers`.
    let name: String
    /// One line in `rangers help`.
    let summary: String
    /// Takes the arguments after the name; returns the process's exit code.
    let run: @Sendable ([String]) async -> Int32

    init(
        _ name: String, _ summary: String, run: @escaping @Sendable ([String]) async -> Int32
    ) {
        self.name = name
        self.summary = summary
        self.run = run
    }
}

extension Options {
    /// Prints the help text, or parses and goes on, or says what is wrong: exit code 64, as
    /// `sysexits.h` has it for a wrong command line.
    func run(
        _ arguments: [String],
        _ body: (OptionValues) async throws(OptionsError) -> Int32
    ) async -> Int32 {
        if Options.wantHelp(arguments) {
            Terminal.print(help)
            return 0
        }
        do {
            let environment = ProcessInfo.processInfo.environment
            return try await body(parse(arguments, environment: environment))
        } catch {
            Terminal.complain("\(command): \(error.description)")
            return 64
        }
    }
}

/// Where the executable's own output goes. Each call is one write. A reader who has gone away is
/// no reason to stop, and there is nobody left to tell.
enum Terminal {
    /// To standard output, as it is.
    static func print(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// To standard error, as a line.
    static func complain(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
