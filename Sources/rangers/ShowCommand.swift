internal import OptionParsing
internal import RangersServer

/// `rangers show`: prints a stored party as JSON.
enum ShowCommand {
    static let subcommand = Subcommand("show", "Print a stored party as JSON", run: run)

    private static let options = Options(
        command: "rangers show",
        summary: """
            Prints a party's row as JSON, with the outbox of each Live Activity. Push tokens are \
            redacted. Exits with 1 if the row is damaged or does not exist.
            """,
        PlaceOptions.reading + [
            Option("party", "ID", "The party")
        ])

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let place = try PlaceOptions.place(values)
            let party = try values.required("party")
            do {
                Terminal.print(
                    try await StoredPartyView.json(ofParty: party, in: place) + "\n")
                return 0
            } catch {
                Terminal.complain("rangers show: \(error)")
                return 1
            }
        }
    }
}
