internal import OptionParsing
internal import RangersServer

/// `rangers replay`: replays parties from their commands, and compares them with what is stored.
enum ReplayCommand {
    static let subcommand = Subcommand(
        "replay", "Verify that stored commands reproduce the stored state and events", run: run)

    private static let options = Options(
        command: "rangers replay",
        summary: """
            Replays the commands of parties and compares the result with the stored state and \
            events. Prints the differences and exits with 1 if there are any.
            """,
        PlaceOptions.reading + [
            Option("party", "ID", "Replay only this party"),
            .toggle("all", "Replay every party (the default without --party)"),
        ])

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let party = values.text("party")
            guard party == nil || !values.isOn("all") else {
                throw values.invalid("party", expected: "omitted with --all")
            }
            let report = await Replay.report(
                on: try PlaceOptions.place(values), party: party)
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
