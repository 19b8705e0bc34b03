internal import OptionParsing
internal import RangersServer

/// `rangers replay`: replays parties from their commands, and compares them with what is stored.
enum ReplayCommand {
    static let subcommand = Subcommand(
        "replay", "Prove that each stored story is the one that its commands tell", run: run)

    private static let options = Options(
        command: "rangers replay",
        summary: """
            Plays parties again from their commands and compares with the stored state and \
            events. Exits with 1 and the differences when there are any.
            """,
        [
            Option("data", "FILE", "The data file; a server may be running on it"),
            Option("party", "ID", "Replay only this party"),
            .toggle("all", "Replay every party (the default without --party)"),
        ])

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let party = values.text("party")
            guard party == nil || !values.isOn("all") else {
                throw values.invalid("party", expected: "left out, or --all")
            }
            let report = await Replay.report(file: try values.required("data"), party: party)
            for difference in report.differences { Terminal.complain(difference) }
            Terminal.print(
                """
                parties \(report.parties), events \(report.events), \
                differences \(report.differences.count)

                """)
            return report.differences.isEmpty ? 0 : 1
        }
    }
}
