internal import OptionParsing
internal import RangersServer

/// `rangers plan`: the nodes, database and network that a game of a size needs.
enum PlanCommand {
    static let subcommand = Subcommand(
        "plan", "Compute the machines needed for a number of Live Activities", run: run)

    private static let options = Options(
        command: "rangers plan",
        summary: """
            Computes nodes, database, WAL, connections to APNs and bandwidth from constants, and \
            says which of them were measured and which are assumed. Prints Markdown.
            """,
        [
            Option(
                "activities", "NUMBER,...",
                "Live Activities at the same time; each number gets a column",
                default: "100000,1000000,10000000"),
            Option(
                "seconds-between-changes", "SECONDS", "The time between two changes of a party",
                default: "30"),
        ])

    private static let sizes = 1...1_000_000_000
    /// Of one call.
    private static let columnsMax = 8

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let sizes = try values.required("activities").split(separator: ",")
                .map { Int($0) ?? 0 }
            guard (1...columnsMax).contains(sizes.count),
                sizes.allSatisfy(Self.sizes.contains)
            else {
                throw values.invalid(
                    "activities", expected: "1 to \(columnsMax) numbers from 1 to a billion")
            }
            let seconds =
                try values.number("seconds-between-changes", in: 0.1...86_400) ?? 30
            let plans = sizes.map {
                ScalePlan(activities: $0, secondsBetweenChanges: seconds)
            }
            Terminal.print(PlanTable(plans).text)
            return 0
        }
    }
}
