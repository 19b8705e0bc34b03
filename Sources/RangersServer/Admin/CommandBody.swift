internal import Content
internal import GameLogic
internal import HTTPServer

/// A game master's command, as a body names it.
struct CommandBody: BodyFields {
    enum Name: String, Decodable, CaseIterable {
        case boss, loot, storm, heal, end, pause, resume, message
    }

    let name: Name
    let boss: String?
    /// The hero concerned; all heroes if omitted.
    let hero: String?
    let item: String?
    let potions: Int?
    let strength: Int?
    let amount: Int?
    let wake: Bool?
    let outcome: String?
    let minutes: Int?
    let texts: MessageBody?

    enum CodingKeys: CodingKey, CaseIterable {
        case name, boss, hero, item, potions, strength, amount, wake, outcome, minutes, texts
    }

    static var inner: [String: any BodyFields.Type] { ["texts": MessageBody.self] }

    static var narrower: [String: JSONSchema] {
        [
            "boss": Self.thingSchema,
            "item": Self.thingSchema,
            "potions": .integer(Arrangement.potionCounts),
            "strength": .integer(Arrangement.stormStrengths),
            "amount": .integer(Arrangement.healAmounts),
            "outcome": .choice(outcomes.map(\.name)),
            "minutes": .integer(Arrangement.pauseMinutes),
        ]
    }

    /// Which there are depends on the party's adventure: its pack's, and those of every pack.
    private static let thingSchema = JSONSchema.pattern("^[a-z0-9-]{1,32}$")

    /// Those that a game master can choose.
    private static let outcomes: [Outcome] = [.endedByGameMaster, .timeLimit, .partyDefeated]

    /// Returns the command, or refuses what does not belong to it.
    func command(_ rules: NameRules) throws(Problem) -> Command {
        try checkFields()
        let hero = hero.map { HeroID($0) }
        switch name {
        case .boss:
            guard let boss else { return .summonBoss }
            return .arrange(.boss(try Self.thing(boss, of: "boss")))
        case .loot: return try loot(for: hero)
        case .storm:
            guard let strength else { return .raiseStorm }
            return .arrange(
                .storm(
                    strength: try Self.number(
                        strength, "strength", in: Arrangement.stormStrengths)))
        case .heal:
            guard let amount else { throw Problem.badRequest("The field \"amount\" is missing.") }
            let checked = try Self.number(amount, "amount", in: Arrangement.healAmounts)
            return .arrange(.heal(hero, amount: checked, wake == true ? .wakes : .none))
        case .end: return .arrange(.end(try ending()))
        case .pause:
            guard let minutes else { throw Problem.badRequest("The field \"minutes\" is missing.") }
            let checked = try Self.number(minutes, "minutes", in: Arrangement.pauseMinutes)
            return .arrange(.pause(minutes: checked, then: nil))
        case .resume: return .arrange(.resume)
        case .message:
            guard let texts else { throw Problem.badRequest("The field \"texts\" is missing.") }
            return .arrange(.message(try texts.message(rules)))
        }
    }

    private func loot(for hero: HeroID?) throws(Problem) -> Command {
        guard item == nil || potions == nil else {
            throw Problem.badRequest("A command gives an \"item\" or \"potions\", not both.")
        }
        if let item { return .arrange(.item(try Self.thing(item, of: "item"), for: hero)) }
        guard let potions else { return .dropLoot(hero) }
        return .arrange(
            .potions(
                try Self.number(potions, "potions", in: Arrangement.potionCounts), for: hero))
    }

    private func ending() throws(Problem) -> Arrangement.Ending {
        switch outcome {
        case nil, Outcome.endedByGameMaster.name: return .endedByGameMaster
        case Outcome.timeLimit.name: return .timeLimit
        case Outcome.partyDefeated.name: return .partyDefeated
        default:
            throw Problem.badRequest(
                "The field \"outcome\" must be \"endedByGameMaster\", \"timeLimit\" or "
                    + "\"partyDefeated\".")
        }
    }

    // MARK: Fields

    /// Refuses fields of other commands: a misspelt command would otherwise do something else.
    private func checkFields() throws(Problem) {
        let given: [(field: String, isGiven: Bool, commands: [Name])] = [
            ("boss", boss != nil, [.boss]), ("hero", hero != nil, [.loot, .heal]),
            ("item", item != nil, [.loot]), ("potions", potions != nil, [.loot]),
            ("strength", strength != nil, [.storm]), ("amount", amount != nil, [.heal]),
            ("wake", wake != nil, [.heal]), ("outcome", outcome != nil, [.end]),
            ("minutes", minutes != nil, [.pause]), ("texts", texts != nil, [.message]),
        ]
        for (field, isGiven, commands) in given where isGiven && !commands.contains(name) {
            throw Problem.badRequest(
                "The field \"\(field)\" does not belong to the command \"\(name.rawValue)\".")
        }
    }

    private static func number(
        _ number: Int, _ field: String, in range: ClosedRange<Int>
    ) throws(Problem) -> Int {
        guard range.contains(number) else {
            throw Problem.badRequest(
                "The field \"\(field)\" must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return number
    }

    private static func thing<Value: Thing>(
        _ text: String, of field: String
    ) throws(Problem) -> Value {
        guard PackDocument.isID(text) else {
            throw Problem.badRequest(
                "The field \"\(field)\" must be an id of 1 to 32 of a-z, 0-9 and -.")
        }
        return Value(text)
    }
}
