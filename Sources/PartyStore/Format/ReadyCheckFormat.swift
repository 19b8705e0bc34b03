internal import ByteCoding
internal import GameLogic

/// A party's ready check and the heroes at its inn, and the command that asks.
enum ReadyCheckFormat {
    static func append(_ plan: ReadyCheck.Plan, to bytes: inout ByteWriter) {
        bytes.append(fixed: plan.seed)
        bytes.append(plan.pack.reference)
        bytes.append(plan.difficulty)
        bytes.append(zigzag: plan.endsAt)
        bytes.append(plan.quorum)
    }

    static func plan(
        _ bytes: inout ByteReader, packs: any PackSource
    ) throws(FormatError) -> ReadyCheck.Plan {
        let seed = try bytes.fixed()
        let pack = try bytes.pack(from: packs)
        return ReadyCheck.Plan(
            seed: seed, pack, try bytes.numbered(), endsAt: try bytes.milliseconds(),
            quorum: try bytes.numbered())
    }

    static func append(_ check: ReadyCheck, _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(count: check.id)
        append(check.plan, to: &bytes)
        StoryFormat.append(check.yes, roster, to: &bytes)
        StoryFormat.append(check.no, roster, to: &bytes)
    }

    static func check(
        _ bytes: inout ByteReader, _ roster: Roster, packs: any PackSource
    ) throws(FormatError) -> ReadyCheck {
        let id = try bytes.number("question")
        return ReadyCheck(
            id: id, try plan(&bytes, packs: packs),
            yes: try StoryFormat.heroes(&bytes, roster, max: Party.sizeMax),
            no: try StoryFormat.heroes(&bytes, roster, max: Party.sizeMax))
    }

    static func append(inn: [Hero], to bytes: inout ByteWriter) {
        bytes.append(count: inn.count)
        for hero in inn { HeroFormat.append(hero, to: &bytes) }
    }

    static func inn(_ bytes: inout ByteReader) throws(FormatError) -> [Hero] {
        var inn: [Hero] = []
        for _ in 0..<(try bytes.count(max: Party.sizeMax)) {
            inn.append(try HeroFormat.next(&bytes))
        }
        return inn
    }
}

extension ReadyCheck.Quorum: Numbered {
    var number: UInt8 {
        switch self {
        case .half: 1
        case .anybody: 2
        }
    }
}
