internal import GameLogic
internal import JSONReader

/// Reads the fields of a pack's file, and notes every fault of its form and its references.
struct PackReader {
    static let weights = 1...1000
    static let strengths = 25...300
    static let levels = 1...20
    static let scores = 0...1000
    static let bags = 0...Home.potionsMax
    static let waits = 10...7200
    static let secondWinds = 0...9
    static let woods = 10...3600

    let things: ThingReader
    let base: Base

    /// What `base.json` brings to every pack.
    struct Base {
        var foes: [Foe: FoeTraits] = [:]
        var bosses: [Boss: BossTraits] = [:]
    }

    /// The pack's own things.
    struct Own {
        var foes: [Foe: FoeTraits] = [:]
        var bosses: [Boss: BossTraits] = [:]
        var items: [Item] = []
        var tales: [Tale] = []
    }

    /// A file's content, apart from its form in the engine.
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

    static func base(of node: Node, _ things: ThingReader) -> Base {
        node.object { fields in
            Base(
                foes: fields.required("foes").map { things.foes(of: $0) { Foe($0) } } ?? [:],
                bosses: fields.required("bosses").map { things.bosses(of: $0) { Boss($0) } } ?? [:])
        } ?? Base()
    }

    func read(_ fields: Node.Fields) -> Result {
        _ = fields.required("format")?.integer(in: 1...1)
        let kind = fields.required("kind")?.choice("kind", of: Pack.Kind.self)
        let level = fields.required("level")?.integer(in: Self.levels)
        let strength = fields.required("strengthPercent")?.integer(in: Self.strengths)
        let timeLimit = fields.required("timeLimitSeconds")?
            .integer(in: 60...Int(Pack.timeLimitMax.milliseconds / 1000))
        let story = story(fields)
        var own = Own(
            foes: fields.optional("foes").map { things.foes(of: $0, named: things.ownFoe) } ?? [:],
            bosses: fields.optional("bosses").map { things.bosses(of: $0, named: things.ownBoss) }
                ?? [:], tales: story.tales.map(\.choice))
        let foes = base.foes.merging(own.foes) { $1 }
        let bosses = base.bosses.merging(own.bosses) { $1 }
        let stages =
            fields.required("stages").map {
                StageReader(things: things, foes: foes, hasTales: !story.tales.isEmpty).stages(
                    of: $0)
            } ?? []
        // When the kind has a fault, the other fields say what is meant.
        let isRush = kind.map { $0 == .bossRush } ?? fields.has("order")
        let rush = isRush ? RushReader(things: things, bosses: bosses).rush(fields) : nil
        // Its own: the pack says how weak it is.
        let choices = kind == .worldBoss ? own.bosses : bosses
        let finale = isRush ? [] : finale(fields, among: choices, kind)
        let common = loot(fields.required("commonLoot"), &own)
        let rare = loot(fields.required("rareLoot"), &own)
        let languages = fields.optional(PackDocument.languagesKey).map(TextReader.languages)
        let texts =
            fields.requiredInAll(PackDocument.textsKey)
            .map { TextReader.texts(of: $0, named: languages) } ?? PackTexts()
        // For the designer's editor.
        _ = fields.optional(PackDocument.schemaKey)?.text()
        // What has a fault is as harmless as can be, so that the rest can be linted.
        let pack = Pack(
            things.reference, kind: kind ?? (isRush ? .bossRush : .quest), score: story.score,
            strength: strength ?? Self.strengths.lowerBound,
            timeLimit: timeLimit.map { .seconds(Int64($0)) } ?? Pack.timeLimitMax,
            patience: story.patience, bag: story.bag,
            woods: story.woods, stages: stages, finale: finale, rush: rush, foes: foes,
            bosses: bosses, commonLoot: common, rareLoot: rare, tales: story.tales)
        return Result(
            pack: pack, level: level ?? Self.levels.lowerBound, own: own, texts: texts)
    }

    private func finale(
        _ fields: Node.Fields, among bosses: [Boss: BossTraits], _ kind: Pack.Kind?
    ) -> [Weighted<Boss>] {
        guard let node = fields.required("finale") else { return [] }
        let finale = node.weights { things.known($0, $1, in: bosses, "boss") }
        let isEmpty =
            switch node.value {
            case .object(let fields): fields.isEmpty
            case .array(let pairs): pairs.isEmpty
            case .integer, .number, .text, .truth, .null: false
            }
        if isEmpty { node.fault("there is no boss at the end; name one") }
        if kind == .worldBoss, finale.count > 1 {
            node.fault("a world boss has exactly one boss; name one")
        }
        return finale
    }

    /// How the story treats the heroes.
    private struct Story {
        var score = 0
        var bag = 0
        var woods = Balance.woodsSeconds
        var patience = Pack.Patience()
        var tales: [Weighted<Tale>] = []
    }

    private func story(_ fields: Node.Fields) -> Story {
        var story = Story()
        story.score = fields.required("score")?.integer(in: Self.scores) ?? 0
        story.bag = fields.required("bag")?.integer(in: Self.bags) ?? 0
        story.woods = fields.optional("woodsSeconds")?.range(in: Self.woods) ?? story.woods
        story.tales =
            fields.optional("tales")?.weights { node, name in
                ThingReader.checkID(name, node)
                return things.own(name)
            } ?? []
        let winds = fields.required("secondWind")?.object { wind in
            (
                after: wind.required("afterSeconds")?.integer(in: Self.waits),
                times: wind.required("times")?.integer(in: Self.secondWinds)
            )
        }
        story.patience = Pack.Patience(
            order: fields.required("orderAfterSeconds")?.integer(in: Self.waits) ?? 0,
            lastStand: fields.required("lastStandSeconds")?.integer(in: Self.waits) ?? 0,
            secondWind: winds?.after ?? 0, secondWinds: winds?.times ?? 0,
            cardGap: fields.required("cardGapSeconds")?.integer(in: 0...Self.waits.upperBound) ?? 0)
        return story
    }

    /// Loot is a name and the words for it: what `base.json` has not is the pack's own.
    private func loot(_ node: Node?, _ own: inout Own) -> [Weighted<Item>] {
        var found: [Item] = []
        let table: [Weighted<Item>] =
            node?.weights { entry, name in
                ThingReader.checkID(name, entry)
                if Item.base.contains(Item(name)) { return Item(name) }
                found.append(things.own(name))
                return things.own(name)
            } ?? []
        if table.isEmpty { node?.fault("it is empty; give at least one item") }
        for item in found where own.items.contains(item) {
            node?.fault("\"\(item.shortName)\" is in both loot tables; choose one")
        }
        own.items += found.filter { !own.items.contains($0) }
        return table
    }
}
