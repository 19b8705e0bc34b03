internal import Content
internal import OptionParsing
internal import Playtest

/// `rangers-tools playtest balance`: how often parties win a pack's adventure.
enum BalanceCommand {
    private static let options = Options(
        command: "rangers-tools playtest balance",
        summary:
            "Plays many adventures of a pack of the program, without a server, and counts their "
            + "ends. `rangers content balance` does so with a pack's file.",
        [
            Option("pack", "ID", "The pack: \(list(EmbeddedPacks.ids))"),
            Option("adventures", "NUMBER", "Adventures per line", default: "400"),
            Option(
                "difficulty", "NAME", "The difficulty: \(list(BalanceTable.difficulties))",
                default: "normal"),
            Option("heroes", "NUMBER", "Only parties of this size, 1 to 8"),
            Option(
                "check", "",
                "Play all packs instead, and compare them with their bands; exits with 1 if one is "
                    + "missed", kind: .toggle),
        ])

    static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let adventures = try values.integer("adventures", in: 1...100_000) ?? 400
            if values.isOn("check") { return check(Int(adventures)) }
            let heroes = try values.integer("heroes", in: 1...8).map { Int($0) }
            guard let document = EmbeddedPacks.document(named: try values.required("pack")) else {
                throw values.invalid("pack", expected: "one of \(list(EmbeddedPacks.ids))")
            }
            let table = BalanceTable(
                of: document, difficulty: try values.required("difficulty"), heroes: heroes,
                adventures: Int(adventures))
            guard let table else {
                throw values.invalid(
                    "difficulty", expected: "one of \(list(BalanceTable.difficulties))")
            }
            table.tell { Terminal.print($0 + "\n") }
            return 0
        }
    }

    private static func check(_ adventures: Int) -> Int32 {
        let faults = BalanceCheck.faults(adventures: adventures) { Terminal.print($0 + "\n") }
        for fault in faults { Terminal.complain("out of its band: \(fault)") }
        guard faults.isEmpty else { return 1 }
        Terminal.print("every pack is within its bands\n")
        return 0
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
