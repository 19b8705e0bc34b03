import ByteCoding
import Content
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// A row is restored exactly, at every moment of a story.
@Suite("The format of stories")
struct StoryFormatTests {
    private static let packs = Packs(EmbeddedPacks.documents.map(\.pack))
    private static let classes = HeroClass.allCases

    private static func home(_ number: Int) -> Home {
        var home = Home()
        home.since = 1_700_000_000_000 + Int64(number)
        home.potions = number % (Home.potionsMax + 1)
        home.toppedUpAt = number.isMultiple(of: 2) ? 1_600_000_000_000 : nil
        home.coins = 17 * number
        home.keepsakes = number
        home.gear = Gear(rawValue: UInt16(truncatingIfNeeded: number &* 0x9e37))
        home.orders = StandingOrders(
            whenDown: StandingOrders.WhenDown.allCases[number % 3],
            whenFriendDown: StandingOrders.WhenFriendDown.allCases[number % 4],
            votes: StandingOrders.Votes.allCases[number % 2],
            setOut: StandingOrders.SetOut.allCases[number / 2 % 2])
        home.day = number
        home.adventuresOfDay = number
        home.trainings = number
        home.hardestWin = number.isMultiple(of: 3) ? nil : .hard
        return home
    }

    private static func hero(_ number: Int) -> Hero {
        Hero(
            id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"), name: "H\(number)",
            avatar: "🐸", heroType: classes[number % classes.count].heroType, exp: 700 * number,
            home: home(number))
    }

    private static func hero(in bytes: [UInt8]) throws -> Hero {
        try bytes.withUnsafeBytes { try HeroFormat.read($0) }
    }

    @Test("a hero's home comes back")
    func homes() throws {
        for number in 0..<12 {
            var writer = ByteWriter()
            HeroFormat.write(Self.hero(number), to: &writer)
            #expect(try Self.hero(in: writer.bytes) == Self.hero(number))
        }
    }

    @Test("a telling comes back; one that no adventure tells is damage")
    func tellings() throws {
        func again(_ bits: UInt64) throws -> Telling {
            var writer = ByteWriter()
            writer.append(varint: bits)
            return try writer.bytes.withUnsafeBytes { row in
                var reader = ByteReader(row)
                return try reader.telling()
            }
        }
        for telling in Telling.samples + [.first] {
            #expect(try again(UInt64(telling.bits)) == telling)
        }
        // A count without a seed, one above the period, and more than two bytes.
        for bits: UInt64 in [1 << 6, 840 << 6 | 1, 1 << 16] {
            #expect(throws: ByteError.self) { try again(bits) }
        }
    }

    /// The party's row, read again.
    private static func again(_ party: Party) throws -> Party {
        var writer = ByteWriter()
        var roster = Roster()
        PartyFormat.append(party, &roster, to: &writer)
        return try writer.bytes.withUnsafeBytes { row in
            var reader = ByteReader(row)
            var roster = Roster()
            let party = try PartyFormat.next(&reader, id: party.id, &roster, packs: packs)
            try reader.finish()
            return party
        }
    }

    /// The command's bytes, read again.
    private static func again(_ command: Command) throws -> Command {
        var writer = ByteWriter()
        CommandFormat.append(LoggedCommand(command: command, time: .zero), Roster(), to: &writer)
        return try writer.bytes.withUnsafeBytes { row in
            var reader = ByteReader(row)
            let logged = try CommandFormat.next(&reader, Roster(), packs: packs)
            try reader.finish()
            return logged.command
        }
    }

    @Test("a party is the same after every change of a story", arguments: EmbeddedPacks.documents)
    func parties(document: PackDocument) throws {
        for seed in UInt64(1)...6 {
            var party = Party(id: PartyID("party"))
            for number in 0..<Int(seed) { _ = try party.apply(.join(Self.hero(number)), at: .zero) }
            let departure = Departure(
                .hard, at: 1_700_000_360_000, restedSince: 1_700_000_000_000)
            _ = try party.apply(.start(seed: seed, document.pack, departure), at: .zero)
            var dice = SeededRandom(seed: seed)
            while let next = party.nextChangeAt {
                _ = party.advance(to: next)
                #expect(try Self.again(party) == party)
                for ask in party.adventure?.course.asks ?? [] {
                    let hero = party.members[dice.draw(in: 0...party.members.count - 1)].hero.id
                    let yes = dice.draw(in: 0...1) == 0
                    // A hero whom it does not concern is refused.
                    _ = try? party.apply(.answer(hero, ask: ask.id, yes: yes), at: next)
                }
                #expect(try Self.again(party) == party)
            }
            #expect(party.adventure?.isOver == true)
        }
    }

    @Test("a party that a store has kept in a breath goes on as the other")
    func breath() throws {
        let pack = try #require(EmbeddedPacks.document(named: "titan-rush")?.pack)
        var party = Party(id: PartyID("party"))
        for number in 0..<4 { _ = try party.apply(.join(Self.hero(number)), at: .zero) }
        _ = try party.apply(.start(seed: 4, pack, Departure(.gentle)), at: .zero)
        while party.adventure?.course.breathUntil == nil, let next = party.nextChangeAt {
            _ = party.advance(to: next)
        }
        let course = try #require(party.adventure?.course)
        let ask = try #require(course.asks.first { $0.kind == .stop })
        let end = try #require(course.breathUntil)
        #expect(course.fallenBosses == 1 && ask.endsAt == end)
        let middle = GameTime(milliseconds: end.milliseconds - 20_000)
        for number in 0..<2 {
            let answer = Command.answer(party.members[number].hero.id, ask: ask.id, yes: true)
            _ = try party.apply(answer, at: middle)
        }
        var kept = try Self.again(party)
        #expect(kept == party)
        // One more than half of all.
        let last = Command.answer(party.members[2].hero.id, ask: ask.id, yes: true)
        var stopping = kept
        _ = try stopping.apply(last, at: middle)
        #expect(stopping.adventure?.outcome == .stopped)
        #expect(try Self.again(stopping) == stopping)
        let events = party.advance(to: .minutes(60))
        #expect(kept.advance(to: .minutes(60)) == events && kept == party)
        #expect(events.first?.time == end && party.adventure?.course.fallenBosses ?? 0 > 1)
    }

    @Test("a party is the same after every change of a ready check, with heroes at the inn")
    func readyCheck() throws {
        let pack = try #require(EmbeddedPacks.document(named: "stolen-pie")?.pack)
        var party = Party(id: PartyID("party"))
        for number in 0..<4 { _ = try party.apply(.join(Self.hero(number)), at: .zero) }
        let plan = ReadyCheck.Plan(seed: 5, pack, .normal, endsAt: 120_000, quorum: .anybody)
        let ask = try #require(try party.apply(.checkReadiness(plan), at: .zero).first).sequence
        let heroes = (0..<4).map { Self.hero($0).id }
        let commands: [Command] = [
            .answer(heroes[1], ask: ask, yes: true), .answer(heroes[2], ask: ask, yes: false),
            .answer(heroes[3], ask: ask, yes: false), .finishReadyCheck(Departure(at: 120_000)),
            .follow(heroes[2], at: 130_000),
        ]
        for command in commands {
            _ = try party.apply(command, at: .seconds(1))
            #expect(try Self.again(party) == party)
        }
        #expect(party.inn.map(\.id) == [heroes[3]])
        #expect(party.members.count == 3)
    }

    @Test("commands come back")
    func commands() throws {
        let pack = try #require(EmbeddedPacks.document(named: "stolen-pie")?.pack)
        let hero = Self.hero(3)
        let commands: [Command] = [
            .join(hero), .start(seed: 9, pack, Departure(.mythic, at: 5)),
            .start(seed: 9, pack, Departure(.gentle, at: 5, restedSince: 3)),
            .answer(hero.id, ask: 7, yes: true), .answer(hero.id, ask: 8, yes: false),
            .change(hero.id, .orders(.init(whenDown: .ask, setOut: .along))),
            .change(hero.id, .orders(.init(whenFriendDown: .give, votes: .bold))),
            .change(hero.id, .orders(.init())), .change(hero.id, .buy(potions: 2)),
            .checkReadiness(
                ReadyCheck.Plan(seed: 3, pack, .gentle, endsAt: 1_700_000_120_000, quorum: .half)),
            .finishReadyCheck(Departure(.gentle, at: 5, restedSince: 3)), .cancelReadyCheck,
            .follow(hero.id, at: 7),
        ]
        for command in commands { #expect(try Self.again(command) == command) }
    }

    @Test("what breaks a rule of the game is refused")
    func broken() throws {
        var writer = ByteWriter()
        HeroFormat.write(Self.hero(1), to: &writer)
        let whole = writer.bytes
        for length in 1..<whole.count {
            #expect(throws: FormatError.self) {
                _ = try Self.hero(in: Array(whole.prefix(length)))
            }
        }
    }
}
