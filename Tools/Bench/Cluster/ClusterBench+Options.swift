package import OptionParsing

extension BenchOptions {
    /// `rangers-tools bench cluster`, for users.
    package static let cluster = bench(
        "cluster",
        """
        Measures ticks over a SQLite file, over PostgreSQL, and in a program in C that writes the \
        same rows to PostgreSQL: CPU of the node and of the database, and the database's WAL. It \
        takes some minutes.
        """,
        rounds: 3, quick: "1 round of 5,000 ticks",
        [
            Option("ticks", "NUMBER", "Durable ticks of one run", default: "50000"),
            references,
        ])
}

extension ClusterBench.Settings {
    /// Reads the values of `BenchOptions.cluster`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        references = try values.required("references")
        guard !values.isOn("quick") else {
            (rounds, ticks) = (1, 5_000)
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 3)
        ticks = Int(try values.integer("ticks", in: BenchOptions.pushes) ?? 50_000)
    }
}
