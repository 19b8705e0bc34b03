internal import OptionParsing
internal import RangersServer

/// `rangers masters`: the keys of game masters, on a running server.
enum MastersCommand {
    static let subcommand = Subcommand(
        "masters", "Create, list or revoke the keys of game masters", run: run)

    private static let options = Options(
        command: "rangers masters",
        summary: """
            Manages the keys of game masters on a running server, over its admin API. create \
            prints the new key, which cannot be shown again. Roles are observer, moderator, \
            gamemaster, director and owner; each includes the rights of those before it.
            """,
        operands: "create NAME ROLE | list | revoke NAME", AdminClient.options)

    private static let usage: Int32 = 64

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let words = values.operands
            guard ["create": 3, "list": 1, "revoke": 2][words.first ?? ""] == words.count else {
                Terminal.complain(
                    "rangers masters: Give an operation: create NAME ROLE, list or revoke NAME.")
                return usage
            }
            let keys = MasterKeys(try AdminClient(values))
            return await CommandResult.of("rangers masters") {
                switch words[0] {
                case "create": return .done(try keys.create(words[1], role: words[2]))
                case "list": return .done(try keys.list())
                default:
                    try keys.revoke(words[1])
                    return .done("")
                }
            }
        }
    }
}
