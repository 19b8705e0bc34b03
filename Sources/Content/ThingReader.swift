internal import GameLogic

/// Reads foes and bosses. One with a fault has a value all the same, so that what refers to it has
/// none.
struct ThingReader {
    static let foesMax = 24
    static let bossesMax = 12
    static let phasesMax = 5
    static let movesMax = 12
    static let paces = 12...900
    static let healths = Pack.bossHealths
    static let foeHealths = 1...10_000
    static let damages = 1...1000
    static let damagePercents = 25...300
    static let exps = 0...10_000

    let reference: Pack.Reference

    /// A thing of the pack's own has the pack in its name; one of `base.json` has not.
    func own<Value: Thing>(_ name: String) -> Value { Value("\(reference).\(name)") }

    func ownFoe(_ name: String) -> Foe { own(name) }

    func ownBoss(_ name: String) -> Boss { own(name) }

    static func checkID(_ key: String, _ node: Node) {
        guard !Node.isID(key) else { return }
        node.fault("\"\(key)\" is not an id; an id has 1 to 32 of a-z, 0-9 and -")
    }

    /// Returns the foe or boss that a table means: the pack's own, or that of `base.json`.
    func known<Value: Thing, Traits>(
        _ node: Node, _ name: String, in table: [Value: Traits], _ kind: String
    ) -> Value? {
        for candidate in [own(name), Value(name)] where table[candidate] != nil {
            return candidate
        }
        let known = KnownNames(table.keys.map { String($0.shortName) }.sorted())
        let hint = known.hint(for: name)
        node.fault("this pack and base.json have no \(kind) \"\(name)\"\(hint)")
        return nil
    }

    // MARK: Foes

    func foes(of node: Node, named name: (String) -> Foe) -> [Foe: FoeTraits] {
        var foes: [Foe: FoeTraits] = [:]
        for (key, entry) in node.things(max: Self.foesMax) {
            foes[name(key)] =
                entry.object(foe) ?? FoeTraits(damage: 1...1, health: 1...1, exp: 0)
        }
        return foes
    }

    private func foe(_ fields: Node.Fields) -> FoeTraits? {
        let damage = fields.required("damagePermille")?.range(in: Self.damages)
        let health = fields.required("healthPermille")?.range(in: Self.foeHealths)
        let exp = fields.required("exp")?.integer(in: Self.exps)
        guard let damage, let health, let exp else { return nil }
        return FoeTraits(damage: damage, health: health, exp: exp)
    }

    // MARK: Bosses

    func bosses(of node: Node, named name: (String) -> Boss) -> [Boss: BossTraits] {
        var bosses: [Boss: BossTraits] = [:]
        for (key, entry) in node.things(max: Self.bossesMax) {
            bosses[name(key)] =
                entry.object(boss)
                ?? BossTraits(
                    health: 1, pace: 1...1, damage: 1...1, exp: 0, lastBlowExp: 0, phases: [])
        }
        return bosses
    }

    private func boss(_ fields: Node.Fields) -> BossTraits? {
        let health = fields.required("healthPermille")?.integer(in: Self.healths)
        let pace = fields.required("paceSeconds")?.range(in: Self.paces)
        let damage = fields.required("damagePermille")?.range(in: Self.damages)
        let exp = fields.required("exp")?.integer(in: Self.exps)
        let last = fields.required("lastBlowExp")?.integer(in: Self.exps)
        let phases = fields.required("phases").map(phases) ?? []
        guard let health, let pace, let damage, let exp, let last else { return nil }
        return BossTraits(
            health: health, pace: pace, damage: damage, exp: exp, lastBlowExp: last,
            phases: phases)
    }

    private func phases(of node: Node) -> [BossTraits.Phase] {
        var phases: [BossTraits.Phase] = []
        for entry in node.list(in: 1...Self.phasesMax) {
            guard let phase = entry.object(phase) else { continue }
            if phases.isEmpty, phase.below != 100 {
                entry.fault("the first phase begins below 100")
            } else if let before = phases.last, phase.below >= before.below {
                entry.fault("below \(phase.below) must be less than in the previous phase")
            }
            phases.append(phase)
        }
        return phases
    }

    private func phase(_ fields: Node.Fields) -> BossTraits.Phase? {
        let below = fields.required("belowPercent")?.integer(in: 1...100)
        let damage = fields.required("damagePercent")?.integer(in: Self.damagePercents)
        let moves =
            fields.required("moves")?.list(in: 1...Self.movesMax)
            .compactMap { $0.choice("move", of: BossTraits.Move.self) } ?? []
        guard let below, let damage, !moves.isEmpty else { return nil }
        return BossTraits.Phase(below: below, damage: damage, moves: moves)
    }
}
