internal import GameLogic

/// Checks what a pack means: its length, its blows and its words.
struct PackLinter {
    /// The part of the time limit that the story may take on average, in percent.
    static let timePercentMax = 80
    /// The most health that one blow may take, in thousandths.
    static let damageMax = 950
    /// The average damage of a party to a boss between two of its blows.
    private static let blow = (Balance.partyBlow.lowerBound + Balance.partyBlow.upperBound) / 2

    let read: PackReader.Result
    let notes: Node.Notes

    private var pack: Pack { read.pack }

    func check(_ checking: PackDocument.Checking) {
        checkLength()
        checkBlows()
        guard checking == .everything else { return }
        TextLinter(
            needed: needed, optional: BaseTexts.endings, texts: read.texts, notes: notes
        ).check()
    }

    private func error(_ path: String, _ what: String) { notes.add(PackFault(path, what)) }

    // MARK: Length

    /// The seconds of game time that a story takes on average, fights and bosses included.
    static func expectedSeconds(of pack: Pack) -> Int {
        let quest = longestWay(in: pack, from: 0) { stage in
            let wait =
                if case .fork(_, bold: _, safe: _, let seconds) = stage.exit { seconds } else { 0 }
            return stage.steps * (stage.pace.lowerBound + stage.pace.upperBound) / 2 + wait
        }
        if let rush = pack.rush {
            let fights = rush.order.reduce(0) { $0 + seconds(of: $1, in: pack) }
            return quest + fights + rush.breath * max(rush.order.count - 1, 0)
        }
        return quest + (pack.finale.map { seconds(of: $0.choice, in: pack) }.max() ?? 0)
    }

    private static func seconds(of boss: Boss, in pack: Pack) -> Int {
        pack.bosses[boss].map { traits in
            (traits.health + blow - 1) / blow * (traits.pace.lowerBound + traits.pace.upperBound)
                / 2
        } ?? 0
    }

    /// Returns the length of the longest way to the boss. Beyond the number of stages it does not
    /// look: a circle is a fault already.
    private static func longestWay(
        in pack: Pack, from place: Int, depth: Int = 0, length: (Pack.Stage) -> Int
    ) -> Int {
        guard place < pack.stages.count, depth < pack.stages.count else { return 0 }
        let stage = pack.stages[place]
        let rest = stage.exit.places.map {
            longestWay(in: pack, from: $0, depth: depth + 1, length: length)
        }
        return length(stage) + (rest.max() ?? 0)
    }

    private func checkLength() {
        let steps = pack.stages.reduce(0) { $0 + $1.steps }
        if steps > StageReader.stepsMax {
            error("stages", "they have \(steps) steps; at most \(StageReader.stepsMax)")
        }
        let (seconds, limit) = (
            Self.expectedSeconds(of: pack), Int(pack.timeLimit.milliseconds / 1000)
        )
        guard seconds * 100 > limit * Self.timePercentMax else { return }
        error(
            "timeLimitSeconds",
            "\(limit) s, but the story takes about \(seconds) s; at most \(Self.timePercentMax)%")
    }

    // MARK: Blows

    private func checkBlows() {
        for (foe, traits) in read.own.foes.sorted(by: { $0.key.name < $1.key.name }) {
            check(traits.damage, percent: 100, at: "foes.\(foe.shortName).damagePermille")
        }
        for (boss, traits) in read.own.bosses.sorted(by: { $0.key.name < $1.key.name }) {
            let path = "bosses.\(boss.shortName)"
            for (index, phase) in traits.phases.enumerated() {
                check(
                    traits.damage, percent: phase.damage,
                    at: path + ".phases[\(index)].damagePercent")
            }
        }
    }

    /// The worst party is one of four: from five on, a blow hits two with less.
    private func check(_ damage: ClosedRange<Int>, percent: Int, at path: String) {
        let size = (1...Party.sizeMax).map(Balance.damagePercent).max() ?? 100
        let worst =
            damage.upperBound * percent * size * Balance.criticalPercent * pack.strength
            / 100_000_000
        guard worst > Self.damageMax else { return }
        error(path, "a critical blow takes \(worst) of 1000; at most \(Self.damageMax)")
    }

    // MARK: Words

    /// The texts that the pack needs.
    private var needed: [String: NeededText] {
        var texts: [String: NeededText] = [
            PackTexts.title: .single, PackTexts.pitch: .single, PackTexts.begins: .plain,
        ]
        for foe in read.own.foes.keys {
            for verb in ["hits", "crits", "falls"] { texts["\(foe.shortName).\(verb)"] = .ofHero }
            for verb in ["comes", "leaves"] { texts["\(foe.shortName).\(verb)"] = .plain }
        }
        for (boss, traits) in read.own.bosses {
            for verb in ["hits", "crits", "falls"] { texts["\(boss.shortName).\(verb)"] = .ofHero }
            for verb in verbs(of: traits) { texts["\(boss.shortName).\(verb)"] = .plain }
        }
        for item in read.own.items {
            texts["\(item.shortName).found"] = NeededText(gaps: [.name], item: item)
        }
        for tale in read.own.tales { texts["\(tale.shortName).told"] = .plain }
        for stage in pack.stages {
            guard case .fork(let fork, bold: _, safe: _, seconds: _) = stage.exit else { continue }
            texts["\(fork.shortName).ask"] = .single
            texts["\(fork.shortName).button"] = .button
            for way in ["bold", "safe"] { texts["\(fork.shortName).\(way)"] = .plain }
        }
        for ending in neededEndings { texts[ending] = .ofHero }
        return texts
    }

    /// A story ends in words of its own.
    private var neededEndings: [String] {
        ["ends.won", "ends.won.down", "ends.won.away", "ends.lost", "ends.night", "ends.fled"]
            + (pack.rush == nil ? [] : ["ends.stopped"])
    }

    /// What is said about a boss besides its blows and its fall.
    private func verbs(of boss: BossTraits) -> [String] {
        let moves = boss.phases.flatMap(\.moves)
        let phases = boss.phases.indices.dropFirst().map { PackTexts.enraged(phase: $0 + 1) }
        let isOfWorld = pack.kind == .worldBoss
        return ["comes"] + phases + (isOfWorld ? WorldStage.allCases.map(PackTexts.weakness) : [])
            + (moves.contains(.charge) ? ["gathers"] : [])
            + (moves.contains(.charge) || moves.contains(.sweep) ? ["sweeps"] : [])
    }
}
