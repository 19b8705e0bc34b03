internal import OptionParsing
internal import Playtest

/// `rangers-tools playtest balance`: how often parties win a pack's adventure.
enum BalanceCommand {
    private static let options = Options(
        command: "rangers-tools playtest balance",
        summary: "Plays many adventures of a pack, without a server, and counts their ends.",
        [
            Option("pack", "ID", "The pack: \(list(BalanceTable.packs))"),
            Option("adventures", "NUMBER", "Adventures per line", default: "400"),
            Option(
                "difficulty", "NAME", "The difficulty: \(list(BalanceTable.difficulties))",
                default: "normal"),
            Option("heroes", "NUMBER", "Only parties of this size, 1 to 8"),
        ])

    static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let pack = try values.required("pack")
            let difficulty = values.text("difficulty") ?? "normal"
            let heroes = try values.integer("heroes", in: 1...8).map { Int($0) }
            let adventures = try values.integer("adventures", in: 1...100_000) ?? 400
            guard BalanceTable.packs.contains(pack) else {
                throw values.invalid("pack", expected: "one of \(list(BalanceTable.packs))")
            }
            let table = BalanceTable(
                pack: pack, difficulty: difficulty, heroes: heroes, adventures: Int(adventures))
            guard let table else {
                throw values.invalid(
                    "difficulty", expected: "one of \(list(BalanceTable.difficulties))")
            }
            table.tell { Terminal.print($0 + "\n") }
            return 0
        }
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
