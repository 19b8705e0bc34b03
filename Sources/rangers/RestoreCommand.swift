internal import OptionParsing
internal import RangersServer

/// `rangers restore`: puts a backup in the place of the data file.
enum RestoreCommand {
    static let subcommand = Subcommand(
        "restore", "Replace the data file with a backup; stop the server first", run: run)

    private static let options = Options(
        command: "rangers restore",
        summary: """
            Verifies a backup and replaces the data file with a copy of it. Refuses while a server \
            uses the data file. Keeps the old file under its name with .before-restore appended.
            """,
        operands: "FILE",
        [
            Option("data", "FILE", "The data file to replace, or a new one"),
            DatabaseTools.option,
        ])

    private static let usage: Int32 = 64

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            guard let backup = values.operands.first, values.operands.count == 1 else {
                Terminal.complain("rangers restore: Name one backup.")
                return usage
            }
            if let advice = try DatabaseTools.advice(values, on: .restore) {
                Terminal.complain("rangers restore: \(advice)")
                return usage
            }
            let file = try values.required("data")
            return await CommandResult.of("rangers restore") {
                let (report, old) = try await Backup.restore(backup, to: file)
                return .done(
                    """
                    \(file): parties \(report.parties), events \(report.events), verified\
                    \(old.map { "; the old file is \($0)" } ?? "")
                    """)
            }
        }
    }
}
