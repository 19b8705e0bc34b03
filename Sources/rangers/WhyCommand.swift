internal import OptionParsing
internal import RangersServer

/// `rangers why`: why a Live Activity did or did not update, in sentences.
enum WhyCommand {
    static let subcommand = Subcommand(
        "why", "Explain why a Live Activity did or did not update", run: run)

    private static let options = Options(
        command: "rangers why",
        summary: """
            Shows for each event what the server decided for a Live Activity and why, which push \
            carried it, and what APNs responded. Changes nothing. Exits with 1 if there is no such \
            activity.
            """,
        operands: "ACTIVITY",
        PlaceOptions.reading + [
            Option("party", "ID", "The party of an activity that is no longer registered")
        ])

    private static let usage: Int32 = 64

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            guard let activity = values.operands.first, values.operands.count == 1 else {
                Terminal.complain("rangers why: Give the id of one Live Activity.")
                return usage
            }
            let place = try PlaceOptions.place(values)
            let party = values.text("party")
            return await CommandResult.of("rangers why") {
                .done(try await ActivityStory.text(of: activity, party: party, in: place))
            }
        }
    }
}
