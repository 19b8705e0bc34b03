package import OptionParsing

extension BenchOptions {
    /// `rangers-tools bench changes`, for users.
    package static let changes = bench(
        "changes",
        """
        Measures what players change on one, two and four nodes over PostgreSQL, beside pgbench \
        with the same rows, and what forwarding a request costs, beside nginx. It takes some minutes.
        """,
        rounds: 3, quick: "1 round of 1 second with 100 parties",
        [
            Option("seconds", "NUMBER", "Seconds of each measurement", default: "5"),
            references,
        ])
}

extension ChangesBench.Settings {
    /// Reads the values of `BenchOptions.changes`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        references = try values.required("references")
        guard !values.isOn("quick") else {
            (rounds, seconds, parties) = (1, 1, 100)
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 3)
        seconds = Int(try values.integer("seconds", in: 1...60) ?? 5)
    }
}
