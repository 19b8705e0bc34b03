internal import OptionParsing
internal import RangersServer

/// `rangers backup`: a verified copy of the data file, while the server plays.
enum BackupCommand {
    static let subcommand = Subcommand(
        "backup", "Copy the data file while the server runs, and verify the copy", run: run)

    private static let options = Options(
        command: "rangers backup",
        summary: """
            Copies the data file to FILE, which must not exist, even while a server runs on it. \
            Verifies the copy by checksums and a replay. Exits with 1 if verification fails.
            """,
        operands: "FILE",
        [
            Option("data", "FILE", "The data file; a server may be running on it"),
            DatabaseTools.option,
        ])

    private static let usage: Int32 = 64

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            guard let target = values.operands.first, values.operands.count == 1 else {
                Terminal.complain("rangers backup: Name one new file for the copy.")
                return usage
            }
            if let advice = try DatabaseTools.advice(values, on: .backup) {
                Terminal.complain("rangers backup: \(advice)")
                return usage
            }
            let file = try values.required("data")
            return await CommandResult.of("rangers backup") {
                let report = try await Backup.make(of: file, to: target)
                return .done(
                    "\(target): parties \(report.parties), events \(report.events), verified")
            }
        }
    }
}
