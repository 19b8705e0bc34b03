internal import GameLogic
internal import PushPolicy

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

    func check() {
        checkLength()
        checkBlows()
        checkKeys()
        checkTexts()
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
            "timeLimit",
            "\(limit) s, but the story takes about \(seconds) s; at most \(Self.timePercentMax)%")
    }

    // MARK: Blows

    private func checkBlows() {
        for (foe, traits) in read.own.foes.sorted(by: { $0.key.name < $1.key.name }) {
            check(traits.damage, percent: 100, at: "foes.\(foe.shortName).damage")
        }
        for (boss, traits) in read.own.bosses.sorted(by: { $0.key.name < $1.key.name }) {
            let path = "bosses.\(boss.shortName)"
            for (index, phase) in traits.phases.enumerated() {
                check(
                    traits.damage, percent: phase.damage, at: path + ".phases[\(index)].damage")
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

    /// The texts that the pack needs, and the gaps of each.
    private var needed: [String: [Gap]] {
        var keys: [String: [Gap]] = [
            PackTexts.title: [], PackTexts.pitch: [], PackTexts.begins: [],
        ]
        for foe in read.own.foes.keys {
            for verb in ["hits", "crits", "falls"] { keys["\(foe.shortName).\(verb)"] = [.name] }
        }
        for (boss, traits) in read.own.bosses {
            for verb in ["hits", "crits", "falls"] { keys["\(boss.shortName).\(verb)"] = [.name] }
            for verb in verbs(of: traits) { keys["\(boss.shortName).\(verb)"] = [] }
        }
        for item in read.own.items { keys["\(item.shortName).found"] = [.name] }
        for tale in read.own.tales { keys["\(tale.shortName).told"] = [] }
        for stage in pack.stages {
            guard case .fork(let fork, bold: _, safe: _, seconds: _) = stage.exit else { continue }
            for verb in PackTexts.forkVerbs { keys["\(fork.shortName).\(verb)"] = [] }
        }
        return keys
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

    private func checkKeys() {
        let needed = needed
        for key in needed.keys.sorted() where read.texts.texts[key] == nil {
            error("texts.\(key)", "the text is missing")
        }
        // What a faulty part of the story says is unknown, unless it is a misspelt text.
        let isStoryKnown = notes.faults.allSatisfy { $0.path.hasPrefix("texts") }
        for key in read.texts.texts.keys.sorted() where needed[key] == nil {
            let hint = Suggestion.text(for: key, among: needed.keys)
            guard isStoryKnown || !hint.isEmpty else { continue }
            error("texts.\(key)", "the pack does not use this text\(hint)")
        }
    }

    private func checkTexts() {
        for (key, gaps) in needed.sorted(by: { $0.key < $1.key }) {
            guard let texts = read.texts.texts[key] else { continue }
            for language in Language.allCases {
                let path = "texts.\(key).\(language.rawValue)"
                guard let wording = texts[language] else {
                    let severity = language == .english ? PackFault.Severity.error : .warning
                    notes.add(PackFault(path, "the text is missing", severity: severity))
                    continue
                }
                check(wording, gaps, in: language, at: path)
            }
        }
    }

    private func check(
        _ wording: Wording, _ gaps: [Gap], in language: Language, at path: String
    ) {
        func place(_ category: PluralCategory) -> String {
            if case .plain = wording, category == .other { return path }
            return "\(path).\(category.rawValue)"
        }
        let faults = wording.faults(gaps: gaps, in: language)
        for fault in faults { error(place(fault.category), "\(fault)") }
        for (category, text) in wording.forms
        where !faults.contains(where: { $0.category == category }) {
            guard let format = try? Format(text) else { continue }
            check(format, at: place(category))
        }
    }

    /// A count of three digits is the longest.
    private func check(_ format: Format, at path: String) {
        let name = String(repeating: "M", count: Columns.ofName)
        let text = format.filled(
            with: format.gaps.values.contains(.count) ? [name, "999"] : [name])
        let columns = Columns.count(of: text)
        if columns > Columns.max {
            error(path, "\(columns) columns with a long name; \(Columns.max) fit the card")
        }
        if path.contains(".button."), columns > Columns.ofButton {
            error(path, "\(columns) columns; \(Columns.ofButton) fit the button")
        }
        // Without its gaps: the "$" of "%1$@" is no price.
        if let found = Advertising.found(in: text) {
            error(path, "it has \(found); a card must not advertise")
        }
    }
}
