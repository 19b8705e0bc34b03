package import OptionParsing

extension BenchOptions {
    /// `rangers-tools bench takeover`, for users.
    package static let takeover = bench(
        "takeover",
        """
        Starts three nodes over PostgreSQL with many parties, kills one, and starts it again. \
        Measures memory, the start, and how long the others take to have its parties and to give \
        it its share. It takes some minutes.
        """,
        rounds: 3, quick: "1 round of 2,000 parties",
        [
            Option(
                "parties", "NUMBER", "Parties, with four Live Activities each",
                default: "100000")
        ])
}

extension TakeoverBench.Settings {
    /// Reads the values of `BenchOptions.takeover`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        guard !values.isOn("quick") else {
            (rounds, parties) = (1, 2_000)
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 3)
        parties = Int(try values.integer("parties", in: 100...1_000_000) ?? 100_000)
    }
}
