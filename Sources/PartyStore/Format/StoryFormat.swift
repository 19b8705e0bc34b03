internal import ByteCoding
internal import GameLogic

/// What heroes have at home, what members do on an adventure, and the adventure's course.
enum StoryFormat {
    /// More gear than any hero finds on an adventure.
    private static let foundMax = 1 << 12
    private static let missedRange = -Int64(Party.numberMax)...Int64(Party.numberMax)

    // MARK: Heroes at home

    static func append(_ home: Home, to bytes: inout ByteWriter) {
        var flags = Flags()
        flags.append(home.since != nil)
        flags.append(home.toppedUpAt != nil)
        flags.append(home.hardestWin != nil)
        bytes.append(flags)
        if let since = home.since { bytes.append(zigzag: since) }
        if let toppedUpAt = home.toppedUpAt { bytes.append(zigzag: toppedUpAt) }
        if let hardestWin = home.hardestWin { bytes.append(hardestWin) }
        bytes.append(count: home.potions)
        bytes.append(count: home.coins)
        bytes.append(count: home.keepsakes)
        bytes.append(home.gear)
        append(home.orders, to: &bytes)
        bytes.append(zigzag: Int64(home.day))
        bytes.append(count: home.adventuresOfDay)
        bytes.append(count: home.trainings)
    }

    static func home(_ bytes: inout ByteReader) throws(FormatError) -> Home {
        var flags = try bytes.flags(3)
        let since = flags.next() ? try bytes.milliseconds() : nil
        let toppedUpAt = flags.next() ? try bytes.milliseconds() : nil
        let hardestWin = flags.next() ? try bytes.numbered(Difficulty.self) : nil
        let home = Home(
            since: since, potions: try bytes.number("potions"), toppedUpAt: toppedUpAt,
            coins: try bytes.number("coins"), keepsakes: try bytes.number("keepsakes"),
            gear: try bytes.gear(), orders: try orders(&bytes),
            day: Int(try bytes.zigzag(in: Bounds.milliseconds, "day")),
            adventuresOfDay: try bytes.number("adventures"),
            trainings: try bytes.number("trainings"), hardestWin: hardestWin)
        guard let home else { throw .invalid("a hero's home breaks the rules") }
        return home
    }

    static func append(_ orders: StandingOrders, to bytes: inout ByteWriter) {
        bytes.append(orders.whenDown)
        bytes.append(orders.whenFriendDown)
        bytes.append(orders.votes)
        bytes.append(orders.setOut)
    }

    static func orders(_ bytes: inout ByteReader) throws(FormatError) -> StandingOrders {
        StandingOrders(
            whenDown: try bytes.numbered(), whenFriendDown: try bytes.numbered(),
            votes: try bytes.numbered(), setOut: try bytes.numbered())
    }

    /// An order that stays as it is has the number 0.
    static func append(_ change: StandingOrders.Change, to bytes: inout ByteWriter) {
        bytes.append(byte: change.whenDown?.number ?? 0)
        bytes.append(byte: change.whenFriendDown?.number ?? 0)
        bytes.append(byte: change.votes?.number ?? 0)
        bytes.append(byte: change.setOut?.number ?? 0)
    }

    static func change(_ bytes: inout ByteReader) throws(FormatError) -> StandingOrders.Change {
        StandingOrders.Change(
            whenDown: try bytes.numberedOrNone(), whenFriendDown: try bytes.numberedOrNone(),
            votes: try bytes.numberedOrNone(), setOut: try bytes.numberedOrNone())
    }

    // MARK: Members

    static func append(
        _ outing: Outing, _ roster: Roster, to bytes: inout ByteWriter
    ) {
        var flags = Flags()
        flags.append(outing.hasDrunkByOrder)
        flags.append(outing.hasGivenByOrder)
        flags.append(outing.isInDanger)
        flags.append(outing.fall.orderAt != nil)
        flags.append(outing.fall.secondWindAt != nil)
        flags.append(outing.fall.helpAt != nil)
        flags.append(outing.fall.telling != .first)
        flags.append(outing.missed != 0)
        bytes.append(flags)
        bytes.append(outing.gear)
        append(outing.orders, to: &bytes)
        for number in [
            outing.level, outing.expPercent, outing.earned, outing.coins, outing.keepsakes,
            outing.secondWinds,
            outing.drunk, outing.found.count,
        ] {
            bytes.append(count: number)
        }
        for kind in outing.found { bytes.append(kind) }
        if let time = outing.fall.orderAt { bytes.append(time) }
        if let time = outing.fall.secondWindAt { bytes.append(time) }
        if let time = outing.fall.helpAt { bytes.append(time) }
        append(outing.fall.asked, roster, to: &bytes)
        if outing.fall.telling != .first { bytes.append(outing.fall.telling) }
        if outing.missed != 0 { bytes.append(zigzag: Int64(outing.missed)) }
    }

    static func outing(
        of hero: Hero, _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> Outing {
        var flags = try bytes.flags(8)
        let (drank, gave, isInDanger) = (flags.next(), flags.next(), flags.next())
        let gear = try bytes.gear()
        let orders = try orders(&bytes)
        let level = try bytes.number("level")
        let expPercent = try bytes.number("percentage")
        let (earned, coins) = (try bytes.number("experience"), try bytes.number("coins"))
        let (keepsakes, winds) = (try bytes.number("keepsakes"), try bytes.number("second winds"))
        let drunk = try bytes.number("potions")
        var found: [Gear.Kind] = []
        for _ in 0..<(try bytes.count(max: foundMax)) { found.append(try bytes.numbered()) }
        let fall = Outing.Fall(
            orderAt: flags.next() ? try bytes.gameTime() : nil,
            secondWindAt: flags.next() ? try bytes.gameTime() : nil,
            helpAt: flags.next() ? try bytes.gameTime() : nil,
            asked: try heroes(&bytes, roster, max: Outing.helpersMax),
            telling: flags.next() ? try bytes.telling() : .first)
        let missed = flags.next() ? Int(try bytes.zigzag(in: missedRange, "steps")) : 0
        let outing = Outing(
            of: hero.heroClass, level: level, gear: gear, orders: orders, expPercent: expPercent,
            earned: earned,
            coins: coins, keepsakes: keepsakes, found: found, secondWinds: winds, drunk: drunk,
            hasDrunkByOrder: drank, hasGivenByOrder: gave, isInDanger: isInDanger, fall: fall,
            missed: missed)
        guard let outing else { throw .invalid("a member's outing breaks the rules") }
        return outing
    }

    // MARK: Adventures

    static func append(
        _ course: Adventure.Course, _ roster: Roster, to bytes: inout ByteWriter
    ) {
        var flags = Flags()
        flags.append(course.isGathering)
        flags.append(course.hasAskedToFlee)
        flags.append(course.lastStandUntil != nil)
        flags.append(course.fallenBosses > 0)
        flags.append(course.breathUntil != nil)
        flags.append(course.worldStage != nil)
        flags.append(course.worldPoints > 0)
        flags.append(course.isAssisted)
        flags.append(course.told > 0)
        flags.append(course.readyCheck > 0)
        flags.append(course.company > 0)
        flags.append(!course.tellings.sentences.isEmpty)
        bytes.append(flags)
        bytes.append(course.difficulty)
        for number in [course.stage, course.stageSteps, course.bossPhase, course.move] {
            bytes.append(count: number)
        }
        if let time = course.lastStandUntil { bytes.append(time) }
        if course.fallenBosses > 0 { bytes.append(count: course.fallenBosses) }
        if let time = course.breathUntil { bytes.append(time) }
        if let stage = course.worldStage { bytes.append(count: stage.rawValue) }
        if course.worldPoints > 0 { bytes.append(count: course.worldPoints) }
        if course.told > 0 { bytes.append(count: course.told) }
        if course.readyCheck > 0 { bytes.append(count: course.readyCheck) }
        if course.company > 0 { bytes.append(count: course.company) }
        if !course.tellings.sentences.isEmpty { bytes.append(course.tellings) }
        bytes.append(count: course.nextAsk)
        bytes.append(count: course.asks.count)
        for ask in course.asks { append(ask, roster, to: &bytes) }
        bytes.append(count: course.guards.count)
        for each in course.guards {
            bytes.append(each.hero, roster)
            bytes.append(each.friend, roster)
            bytes.append(count: each.blows)
        }
    }

    static func course(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> Adventure.Course {
        var flags = try bytes.flags(12)
        let (isGathering, hasAskedToFlee) = (flags.next(), flags.next())
        let difficulty = try bytes.numbered(Difficulty.self)
        let (stage, steps) = (try bytes.number("stage"), try bytes.number("steps"))
        let (phase, move) = (try bytes.number("phase"), try bytes.number("move"))
        let lastStand = flags.next() ? try bytes.gameTime() : nil
        let fallenBosses = flags.next() ? try bytes.number("bosses") : 0
        let breath = flags.next() ? try bytes.gameTime() : nil
        let worldStage = flags.next() ? try bytes.worldStage() : nil
        let worldPoints = flags.next() ? try bytes.number("points") : 0
        let isAssisted = flags.next()
        let told = flags.next() ? try bytes.number("steps") : 0
        let readyCheck = flags.next() ? try bytes.number("ready check") : 0
        let company = flags.next() ? try bytes.number("company") : 0
        let tellings = flags.next() ? try bytes.tellings() : Tellings()
        let nextAsk = try bytes.number("question")
        var asks: [Ask] = []
        for _ in 0..<(try bytes.count(max: Ask.openMax)) { asks.append(try ask(&bytes, roster)) }
        var guards: [Adventure.Guard] = []
        for _ in 0..<(try bytes.count(max: Party.sizeMax)) {
            guards.append(
                Adventure.Guard(
                    hero: try bytes.hero(roster), friend: try bytes.hero(roster),
                    blows: try bytes.number("blows")))
        }
        let course = Adventure.Course(
            difficulty: difficulty, stage: stage, stageSteps: steps, bossPhase: phase, move: move,
            isGathering: isGathering, lastStandUntil: lastStand, asks: asks, nextAsk: nextAsk,
            guards: guards, hasAskedToFlee: hasAskedToFlee, fallenBosses: fallenBosses,
            breathUntil: breath, worldStage: worldStage, worldPoints: worldPoints,
            told: told, isAssisted: isAssisted, readyCheck: readyCheck,
            company: company, tellings: tellings)
        guard let course else { throw .invalid("an adventure's course breaks the rules") }
        return course
    }

    // MARK: Questions

    private static func append(_ ask: Ask, _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(count: ask.id)
        switch ask.kind {
        case .brace: bytes.append(byte: 1)
        case .flee: bytes.append(byte: 2)
        case .guardFriend(let hero):
            bytes.append(byte: 3)
            bytes.append(hero, roster)
        case .fork(let fork):
            bytes.append(byte: 4)
            bytes.append(text: fork.name)
        case .loot(let item, finder: let hero):
            bytes.append(byte: 5)
            bytes.append(item)
            bytes.append(hero, roster)
        case .stop: bytes.append(byte: 6)
        }
        var flags = Flags()
        flags.append(ask.endsAt != nil)
        flags.append(ask.telling != .first)
        bytes.append(flags)
        if let time = ask.endsAt { bytes.append(time) }
        if ask.telling != .first { bytes.append(ask.telling) }
        append(ask.yes, roster, to: &bytes)
        append(ask.no, roster, to: &bytes)
    }

    private static func ask(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> Ask {
        let id = try bytes.number("question")
        let number = try bytes.byte()
        let kind: Ask.Kind =
            switch number {
            case 1: .brace
            case 2: .flee
            case 3: .guardFriend(try bytes.hero(roster))
            case 4: .fork(Fork(try bytes.text()))
            case 5: .loot(try bytes.thing(), finder: try bytes.hero(roster))
            case 6: .stop
            default: throw .unknownNumber(UInt64(number), of: "question")
            }
        var flags = try bytes.flags(2)
        return Ask(
            id: id, kind: kind, endsAt: flags.next() ? try bytes.gameTime() : nil,
            telling: flags.next() ? try bytes.telling() : .first,
            yes: try heroes(&bytes, roster, max: Party.sizeMax),
            no: try heroes(&bytes, roster, max: Party.sizeMax))
    }

    static func append(_ heroes: [HeroID], _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(count: heroes.count)
        for hero in heroes { bytes.append(hero, roster) }
    }

    static func heroes(
        _ bytes: inout ByteReader, _ roster: Roster, max limit: Int
    ) throws(FormatError) -> [HeroID] {
        var heroes: [HeroID] = []
        for _ in 0..<(try bytes.count(max: limit)) { heroes.append(try bytes.hero(roster)) }
        return heroes
    }
}

// MARK: Departures

extension ByteWriter {
    mutating func append(_ departure: Departure) {
        append(departure.difficulty)
        append(zigzag: departure.at)
        var flags = Flags()
        flags.append(departure.restedSince != nil)
        append(flags)
        if let since = departure.restedSince { append(zigzag: since) }
    }

    fileprivate mutating func append(_ gear: Gear) { append(varint: UInt64(gear.rawValue)) }
}

extension ByteReader {
    mutating func departure() throws(FormatError) -> Departure {
        let difficulty = try numbered(Difficulty.self)
        let time = try milliseconds()
        var flags = try flags(1)
        return Departure(
            difficulty, at: time, restedSince: flags.next() ? try milliseconds() : nil)
    }

    mutating func worldStage() throws(FormatError) -> WorldStage {
        let number = try number("stage")
        guard let stage = WorldStage(rawValue: number) else {
            throw .invalid("a world boss has no stage \(number)")
        }
        return stage
    }

    /// Milliseconds since 1970.
    mutating func milliseconds() throws(FormatError) -> Int64 {
        try zigzag(in: Bounds.milliseconds, "time")
    }

    fileprivate mutating func gear() throws(FormatError) -> Gear {
        let bits = try number(in: 0...Int(UInt16.max), "gear")
        let gear = Gear(rawValue: UInt16(bits))
        guard gear.rawValue == bits else { throw .invalid("its gear is out of range") }
        return gear
    }
}

// MARK: Numbers

extension Difficulty: Numbered {
    var number: UInt8 { UInt8(rawValue) }
}

extension StandingOrders.WhenDown: Numbered {
    var number: UInt8 {
        switch self {
        case .ask: 1
        case .askThenDrink: 2
        case .drink: 3
        }
    }
}

extension StandingOrders.WhenFriendDown: Numbered {
    var number: UInt8 {
        switch self {
        case .ask: 1
        case .askThenGive: 2
        case .give: 3
        case .never: 4
        }
    }
}

extension StandingOrders.Votes: Numbered {
    var number: UInt8 {
        switch self {
        case .silent: 1
        case .bold: 2
        }
    }
}

extension StandingOrders.SetOut: Numbered {
    var number: UInt8 {
        switch self {
        case .ask: 1
        case .along: 2
        }
    }
}

extension Gear.Kind: Numbered {
    var number: UInt8 {
        switch self {
        case .sword: 1
        case .shield: 2
        case .crown: 3
        case .crystal: 4
        case .cloak: 5
        }
    }
}
