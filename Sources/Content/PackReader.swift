internal import GameLogic
internal import JSONReader
internal import PushPolicy

/// Reads the fields of a pack's file, and notes every fault of its form and its references.
struct PackReader {
    static let stagesMax = 12
    static let stepsMax = Pack.stepsMax
    static let foesMax = 24
    static let bossesMax = 12
    static let textsMax = 400
    static let textBytesMax = 1024
    static let paces = 12...900
    static let weights = 1...1000
    static let strengths = 25...300
    static let levels = 1...20
    static let healths = Pack.bossHealths
    static let damages = 1...1000
    static let blows = 1...20
    static let exps = 0...10_000

    let reference: Pack.Reference
    let base: Base

    /// What `base.json` brings to every pack.
    struct Base {
        var foes: [Foe: FoeTraits] = [:]
        var bosses: [Boss: BossTraits] = [:]
    }

    /// The foes and bosses of a pack's own, beside those of `base.json`.
    struct Own {
        var foes: [Foe: FoeTraits] = [:]
        var bosses: [Boss: BossTraits] = [:]
        var items: [Item] = []
    }

    /// What a file says, apart from the form in which the engine has it.
    struct Result {
        let pack: Pack
        let level: Int
        let own: Own
        let texts: PackTexts
    }

    // MARK: The file

    /// Reads which pack a file is.
    static func reference(in fields: Node.Fields) -> Pack.Reference {
        let id = fields.required("id")?.id()
        let version = fields.required("version")?.integer(in: 1...Party.numberMax)
        // With a fault the pack is refused, after the rest has been read.
        return Pack.Reference(id: id ?? "", version: version ?? 0)
    }

    static func base(of node: Node) -> Base {
        node.object { fields in
            Base(
                foes: fields.required("foes").map { foes(of: $0) { Foe($0) } } ?? [:],
                bosses: fields.required("bosses").map { bosses(of: $0) { Boss($0) } } ?? [:])
        } ?? Base()
    }

    func read(_ fields: Node.Fields) -> Result? {
        _ = fields.required("format")?.integer(in: 1...1)
        let rules = fields.required("rules").flatMap(rules)
        kind(fields.required("kind"))
        let level = fields.required("level")?.integer(in: Self.levels)
        let strength = fields.required("strength")?.integer(in: Self.strengths)
        let timeLimit = fields.required("timeLimit")?
            .integer(in: 60...Int(Pack.timeLimitMax.milliseconds / 1000))
        var own = Own(
            foes: fields.optional("foes").map { Self.foes(of: $0, named: ownFoe) } ?? [:],
            bosses: fields.optional("bosses").map { Self.bosses(of: $0, named: ownBoss) } ?? [:])
        let foes = base.foes.merging(own.foes) { $1 }
        let bosses = base.bosses.merging(own.bosses) { $1 }
        let stages = fields.required("stages").map { self.stages(of: $0, among: foes) } ?? []
        let finale: [Weighted<Boss>] =
            fields.required("finale")?.weights { known($0, $1, in: bosses, "boss") } ?? []
        let common = loot(fields.required("commonLoot"), &own)
        let rare = loot(fields.required("rareLoot"), &own)
        let texts = fields.required("texts").map(Self.texts) ?? PackTexts()
        guard let rules, let level, let strength, let timeLimit else { return nil }
        let pack = Pack(
            reference, rules: rules, strength: strength, timeLimit: .seconds(Int64(timeLimit)),
            stages: stages, finale: finale, foes: foes, bosses: bosses, commonLoot: common,
            rareLoot: rare)
        return Result(pack: pack, level: level, own: own, texts: texts)
    }

    private func rules(_ node: Node) -> Pack.Rules? {
        guard let number = node.integer(in: 1...Int.max) else { return nil }
        guard let rules = Pack.Rules(rawValue: number) else {
            let known = Pack.Rules.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            node.fault("this server has no rules \(number); it has \(known)")
            return nil
        }
        return rules
    }

    private func kind(_ node: Node?) {
        guard let node, let kind = node.text(), kind != "quest" else { return }
        node.fault("there is no kind \"\(kind)\"; there is \"quest\"")
    }

    // MARK: Things
    // One with a fault has a value all the same, so that what refers to it has none.

    /// A thing of the pack's own has the pack in its name; one of `base.json` has not.
    private func own<Value: Thing>(_ name: String) -> Value { Value("\(reference).\(name)") }

    private func ownFoe(_ name: String) -> Foe { own(name) }

    private func ownBoss(_ name: String) -> Boss { own(name) }

    private static func foes(of node: Node, named name: (String) -> Foe) -> [Foe: FoeTraits] {
        var foes: [Foe: FoeTraits] = [:]
        for (key, entry) in node.named(max: foesMax) {
            checkID(key, entry)
            foes[name(key)] =
                entry.object { fields in
                    let damage = fields.required("damage")?.range(in: damages)
                    let blows = fields.required("blows")?.range(in: blows)
                    let exp = fields.required("exp")?.integer(in: exps)
                    guard let damage, let blows, let exp else { return nil }
                    return FoeTraits(damage: damage, blows: blows, exp: exp)
                } ?? FoeTraits(damage: 1...1, blows: 1...1, exp: 0)
        }
        return foes
    }

    private static func bosses(of node: Node, named name: (String) -> Boss) -> [Boss: BossTraits] {
        var bosses: [Boss: BossTraits] = [:]
        for (key, entry) in node.named(max: bossesMax) {
            checkID(key, entry)
            bosses[name(key)] =
                entry.object { fields in
                    let health = fields.required("health")?.integer(in: healths)
                    let pace = fields.required("pace")?.range(in: paces)
                    let damage = fields.required("damage")?.range(in: damages)
                    let exp = fields.required("exp")?.integer(in: exps)
                    let last = fields.required("lastBlowExp")?.integer(in: exps)
                    guard let health, let pace, let damage, let exp, let last else { return nil }
                    return BossTraits(
                        health: health, pace: pace, damage: damage, exp: exp, lastBlowExp: last)
                } ?? BossTraits(health: 1, pace: 1...1, damage: 1...1, exp: 0, lastBlowExp: 0)
        }
        return bosses
    }

    private static func checkID(_ key: String, _ node: Node) {
        guard !Node.isID(key) else { return }
        node.fault("\"\(key)\" is no id; an id has 1 to 32 of a-z, 0-9 and -")
    }

    /// Returns the foe or boss that a table means: the pack's own, or that of `base.json`.
    private func known<Value: Thing, Traits>(
        _ node: Node, _ name: String, in table: [Value: Traits], _ kind: String
    ) -> Value? {
        for candidate in [own(name), Value(name)] where table[candidate] != nil {
            return candidate
        }
        let hint = Suggestion.text(for: name, among: table.keys.map { String($0.shortName) })
        node.fault("\"\(name)\" is no \(kind) of this pack or of base.json\(hint)")
        return nil
    }

    /// Loot is a name and the words for it: what `base.json` has not is the pack's own.
    private func loot(_ node: Node?, _ own: inout Own) -> [Weighted<Item>] {
        var found: [Item] = []
        let table: [Weighted<Item>] =
            node?.weights { entry, name in
                Self.checkID(name, entry)
                if Item.base.contains(Item(name)) { return Item(name) }
                found.append(self.own(name))
                return self.own(name)
            } ?? []
        if table.isEmpty { node?.fault("it is empty; give at least one item") }
        for item in found where own.items.contains(item) {
            node?.fault("\"\(item.shortName)\" stands in both tables of loot; choose one")
        }
        own.items += found.filter { !own.items.contains($0) }
        return table
    }

    // MARK: Stages

    private func stages(of node: Node, among foes: [Foe: FoeTraits]) -> [Pack.Stage] {
        var stages: [Pack.Stage] = []
        for (index, entry) in node.list(max: Self.stagesMax).enumerated() {
            guard let stage = entry.object({ stage(of: $0, among: foes) }) else { continue }
            if let taken = stages.firstIndex(where: { $0.id == stage.id }) {
                entry.fault("the id \"\(stage.id)\" is taken by stages[\(taken)]; choose another")
            }
            if !stage.scenes.contains(where: { $0.choice == .commonLoot || $0.choice == .foe }) {
                entry.fault(
                    "only scenes that need a reason are left; give commonLoot or foe a weight")
            }
            if stage.scenes.contains(where: { $0.choice == .foe }), stage.foes.isEmpty {
                node.fault("stages[\(index)] meets foes, but has none; add \"foes\"")
            }
            stages.append(stage)
        }
        if case .array(let entries) = node.value, entries.isEmpty {
            node.fault("a quest needs at least one stage")
        }
        return stages
    }

    private func stage(of fields: Node.Fields, among foes: [Foe: FoeTraits]) -> Pack.Stage? {
        let id = fields.required("id")?.id()
        let steps = fields.required("steps")?.integer(in: 1...Self.stepsMax)
        let pace = fields.required("pace")?.range(in: Self.paces)
        let scenes = fields.required("scenes")?.weights(scene)
        let met: [Weighted<Foe>] =
            fields.optional("foes")?.weights { known($0, $1, in: foes, "foe") } ?? []
        guard let id, let steps, let pace, let scenes else { return nil }
        return Pack.Stage(id: id, steps: steps, pace: pace, scenes: scenes, foes: met)
    }

    private func scene(_ node: Node, _ name: String) -> Scene? {
        guard let scene = Scene(rawValue: name) else {
            let hint = Suggestion.text(for: name, among: Scene.allCases.map(\.rawValue))
            node.fault("\"\(name)\" is no scene\(hint)")
            return nil
        }
        return scene
    }

    // MARK: Texts

    static func texts(of node: Node) -> PackTexts {
        var texts: [String: [Language: String]] = [:]
        for (key, entry) in node.named(max: textsMax) {
            for (tag, value) in entry.named(max: Language.allCases.count) {
                guard let language = Language(rawValue: tag) else {
                    let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
                    value.fault("there is no language \"\(tag)\"; there are \(known)")
                    continue
                }
                guard let text = value.text() else { continue }
                guard (1...textBytesMax).contains(text.utf8.count) else {
                    value.fault("it must have 1 to \(textBytesMax) bytes")
                    continue
                }
                texts[key, default: [:]][language] = text
            }
        }
        return PackTexts(texts)
    }
}
