import ByteCoding
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// What a file of schema 6 says: read apart from the code that wrote it.
@Suite struct LegacyTests {
    private let file: Schema6

    init() throws { file = try Schema6() }

    private func story(_ name: String) throws -> Party {
        try LegacyJSON.party(try #require(file.texts("parties", "party", of: name).first))
    }

    private func outboxes(_ name: String) throws -> [ActivityOutbox] {
        try LegacyJSON.outboxes(try #require(file.texts("parties", "outbox", of: name).first))
    }

    @Test("a party is what its commands make of it", arguments: Schema6.parties)
    func replay(name: String) throws {
        let party = try story(name)
        let commands = try file.texts("commands", of: name).map { try LegacyJSON.command($0) }
        let (replayed, events) = try Party.replay(
            from: Party(id: party.id), commands: commands.map { ($0.command, $0.time) },
            through: party.adventure?.advancedTo)
        #expect(replayed == party)
        #expect(try file.texts("events", of: name).map { try LegacyJSON.event($0) } == events)
    }

    @Test("every row of the file is read")
    func everyRow() throws {
        #expect(try file.texts("heroes").map { try LegacyJSON.hero($0) }.count == 8)
        #expect(try file.texts("events").map { try LegacyJSON.event($0) }.count == 87)
        #expect(try file.texts("commands").map { try LegacyJSON.command($0) }.count > 20)
        #expect(try file.texts("decisions").map { try LegacyJSON.decision($0) }.count == 313)
        #expect(
            try file.texts("activities").map { try LegacyJSON.registration($0) }.count == 9)
        #expect(try file.texts("channels").map { try LegacyJSON.channel($0) }.count == 1)
        #expect(
            try file.texts("provider_tokens").map { try LegacyJSON.providerToken($0) }.count == 2)
        #expect(try file.texts("start_devices").map { try LegacyJSON.traits($0) }.count == 3)
        #expect(
            try file.texts("start_devices", "starts").map { try LegacyJSON.starts($0) }.count
                == 3)
        #expect(try Schema6.parties.map { try outboxes($0).count } == [1, 0, 4, 4])
    }

    @Test("a party on the road: a fight, a hero who is down, one in the woods, one who left")
    func road() throws {
        let party = try story("party-road")
        #expect(party.members.map(\.hero.name) == ["Grüße 🐻", "日本の熊", "Wolf"])
        #expect(
            party.members.map(\.condition) == [
                .lostConnection(until: GameTime(milliseconds: 1_023_000)), .knockedDown, .standing,
            ])
        #expect(
            party.adventure?.fight
                == Adventure.Fight(foe: .ghost, prey: HeroID("hero-6"), left: 2))
        #expect(party.adventure?.departed.map(\.hero.id) == [HeroID("hero-7")])
        #expect(party.adventure?.lastScene == .foe)
        #expect(party.nextSequence == 31)
    }

    @Test("an outbox keeps its alert, what is in flight and what was accepted")
    func outbox() throws {
        let outbox = try outboxes("party-road")[1].snapshot
        #expect(outbox.hero == HeroID("hero-6"))
        #expect(outbox.alert?.alert.sound == "HeroDown.mp4")
        #expect(outbox.alert?.sequence == 30)
        #expect(outbox.inFlight?.timestamp == 1_800_000_060)
        #expect(outbox.inFlight?.alertSequence == 30)
        #expect(outbox.inFlight?.due.version == 23)
        #expect(outbox.accepted?.version == 22)
        #expect(outbox.addressee?.language == .japanese)
        #expect(outbox.budget.spent == 6_860_000)
    }

    @Test("an outbox keeps its pause, its dead token, its roll-over and its end")
    func fates() throws {
        let quest = try outboxes("party-quest").map(\.snapshot)
        #expect(quest[0].pausedUntil == WallTime(milliseconds: 1_800_000_047_000))
        #expect(quest[2].deadTokenAt == WallTime(milliseconds: 1_800_000_005_000))
        #expect(quest.map { $0.ending != nil } == [true, false, true, true])
        #expect(quest.map(\.isEnded) == [false, true, false, false])
        #expect(try outboxes("party-boss").map(\.snapshot.rollOver) == [.begun])
    }

    @Test("a registration keeps its token, its device, its channel")
    func registrations() throws {
        let all = try file.texts("activities").map { try LegacyJSON.registration($0) }
        let first = all.first { $0.id == ActivityID("6F9619FF-8B86-D011-B42D-00C04FC964FF") }
        #expect(first?.pushToken?.hex.prefix(8) == "910a2dec")
        #expect(first?.device == DeviceID("device-1"))
        #expect(first?.language == .japanese)
        #expect(all.compactMap(\.channel) == [ChannelName("dHN0LXNyY2gtY2hubA==")])
        #expect(all.contains { $0.state == .stale && $0.environment == .sandbox })
    }

    @Test("a device keeps the start that is on its way")
    func starts() throws {
        let starts = try file.texts("start_devices", "starts").map { try LegacyJSON.starts($0) }
        #expect(starts[0].guardian.times == [WallTime(milliseconds: 1_800_000_101_000)])
        #expect(starts[0].pending?.hero == HeroID("hero-7"))
        #expect(starts[0].pending?.reason == .adventureBegins)
        #expect(starts[0].pending?.phase == .sent)
        #expect(starts[1].pending == nil)
    }

    @Test("a decision keeps its sentence, which cannot be made again")
    func decisions() throws {
        let all = try file.texts("decisions", of: "party-boss").map {
            try LegacyJSON.decision($0)
        }
        #expect(all[0].rule == "the beginning of an adventure is high priority (Q5)")
        #expect(all[0].decision.disposition == .merged)
        #expect(all[0].decision.priority == .high)
        #expect(all.contains { $0.decision.carriesAlert && $0.rule?.contains("(A7)") == true })
    }

    // MARK: What other rows said

    @Test("a start of before there were reasons is one of an adventure that began")
    func reasonless() throws {
        let json = """
            {"guardian":{"times":[]},"pending":{"hero":"h","phase":{"again":{"notBefore":9}},\
            "card":{"health":1,"phrase":{"key":"k","arguments":[{"word":{"_0":"w"}}]}},\
            "dueAt":5,"timestamp":1,"sequence":2,"language":"en","party":"p"}}
            """
        let starts = try LegacyJSON.starts(Array(json.utf8))
        #expect(starts.pending?.reason == .adventureBegins)
        #expect(starts.pending?.phase == .again(notBefore: WallTime(milliseconds: 9)))
    }

    @Test("every kind of refusal, flight and roll-over that rows had")
    func allOfAnOutbox() throws {
        let due = """
            {"card":{"health":7,"phrase":{"key":"k","arguments":[]}},"version":3,"since":4,\
            "priority":5,"relevance":50,"expirationSeconds":900}
            """
        let json = """
            [{"activity":"a","hero":"h","startedAt":1,"due":\(due),"isEnded":false,\
            "lastTimestamp":2,"budget":{"spent":0,"asOf":1},"rollOver":"done",\
            "refused":{"card":{"health":7,"phrase":{"key":"k","arguments":[]}},"form":"end",\
            "until":99},"flight":{"timestamp":2,"content":\(due),"form":"update",\
            "tokenRegisteredAt":1,"isOutdated":true}}]
            """
        let outbox = try LegacyJSON.outboxes(Array(json.utf8))[0].snapshot
        #expect(outbox.due?.priority == .low)
        #expect(outbox.refused?.until == WallTime(milliseconds: 99))
        #expect(outbox.inFlight?.isOutdated == true)
        #expect(outbox.rollOver == .done)
    }

    static let unruly = [
        "", "{}", "[]", "null",
        #"{"id":"p","members":[],"nextSequence":0}"#,
        #"{"id":"p","members":[],"nextSequence":9223372036854775807}"#,
        #"{"id":"p","members":[],"nextSequence":1,"lastEvent":{"sequence":1,"time":0,"kind":{"stormRaised":{}}}}"#,
        #"{"id":"p","members":[],"nextSequence":2,"lastEvent":{"sequence":1,"time":0,"kind":{"tea":{}}}}"#,
    ]

    @Test("a party that breaks the rules is refused", arguments: unruly)
    func nonsense(json: String) {
        #expect(throws: FormatError.self) { try LegacyJSON.party(Array(json.utf8)) }
    }

    @Test("a number that the newest format cannot hold is refused")
    func range() {
        let json = """
            {"id":"h","owner":"p","name":"n","avatar":"a","heroType":"t","healthLevel":1,\
            "healthRecoveryRatePerHour":1,"exp":9223372036854775807}
            """
        #expect(throws: FormatError.self) { try LegacyJSON.hero(Array(json.utf8)) }
    }
}
