internal import OptionParsing
internal import RangersServer

/// `rangers migrate`: moves a game between a data file and a database.
enum MigrateCommand {
    static let subcommand = Subcommand(
        "migrate", "Move a game from a data file to a PostgreSQL database, or back", run: run)

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await Migrate.options.run(arguments) { values throws(OptionsError) in
            if values.isOn("cancel") {
                guard values.text("to") == nil else {
                    throw values.invalid("to", expected: "left out with --cancel")
                }
                let source = try PlaceOptions.place("from", of: values)
                return await CommandResult.of("rangers migrate") {
                    .done(try await Migrate.cancel(source))
                }
            }
            let migrate = try Migrate(values) { Terminal.print($0 + "\n") }
            return await CommandResult.of("rangers migrate") { .done(try await migrate.run()) }
        }
    }
}
