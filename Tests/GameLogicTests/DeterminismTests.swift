import GameLogic
import Testing

/// Properties of every story, over 1,000 seeds of random commands at random times.
struct DeterminismTests {
    static let lanes = (0..<10).map { (lane: UInt64) -> Range<UInt64> in
        lane * 100..<lane * 100 + 100
    }

    @Test("C1: same seed, same commands, same events, in one step or in many", arguments: lanes)
    func steps(_ seeds: Range<UInt64>) throws {
        for seed in seeds {
            let script = Script(seed: seed)
            let one = try Played(script, .one, seed: seed)
            let many = try Played(script, .many, seed: seed)
            let isSame = one.events == many.events && one.party == many.party
            #expect(isSame, "seed \(seed)")
            #expect(one.faults + many.faults == [], "seed \(seed)")
        }
    }

    @Test("replaying the accepted commands gives the same party and events", arguments: lanes)
    func replay(_ seeds: Range<UInt64>) throws {
        for seed in seeds {
            let played = try Played(Script(seed: seed), .one, seed: seed)
            let (party, events) = try Party.replay(
                from: Party(id: played.party.id),
                commands: played.accepted.map { ($0.command, $0.time) },
                through: Adventure.timeLimit)
            let isSame = party == played.party && events == played.events
            #expect(isSame, "seed \(seed)")
        }
    }

    @Test("events are numbered without a gap and their times never run backwards", arguments: lanes)
    func order(_ seeds: Range<UInt64>) throws {
        for seed in seeds {
            let events = try Played(Script(seed: seed), .one, seed: seed).events
            let isGapless = events.map(\.sequence) == Array(1..<events.count + 1)
            #expect(isGapless, "seed \(seed)")
            let backwards = zip(events, events.dropFirst()).contains { earlier, later in
                later.time < earlier.time && later.kind.name != .adventureBegan
            }
            #expect(!backwards, "seed \(seed)")
        }
    }

    @Test("every adventure ends, and after its end heroes only come, go and lead", arguments: lanes)
    func endings(_ seeds: Range<UInt64>) throws {
        for seed in seeds {
            let played = try Played(Script(seed: seed), .one, seed: seed)
            #expect(!played.party.isOnAdventure, "seed \(seed)")
            #expect(Self.strayEvents(in: played.events) == [], "seed \(seed)")
        }
    }

    @Test("a party advanced each second has the events of one advanced after hours")
    func everySecond() throws {
        for seed in UInt64(1)...5 {
            var sleeper = try Fixtures.adventurers(seed: seed)
            var waker = sleeper
            let dream = sleeper.advance(to: .minutes(600))
            let day = (0...3600).flatMap { waker.advance(to: .seconds($0)) }
            #expect(day == dream)
            #expect(waker == sleeper)
        }
    }

    @Test("between two changes there is no event")
    func nextChange() throws {
        var party = try Fixtures.adventurers(seed: 3)
        var count = 0
        while let next = party.nextChangeAt {
            let justBefore = GameTime(milliseconds: next.milliseconds - 1)
            #expect(party.advance(to: justBefore) == [])
            #expect(party.nextChangeAt == next)
            let events = party.advance(to: next)
            for event in events { #expect(event.time == next) }
            count += events.count
        }
        #expect(count > 20)
    }

    /// What happened outside of any adventure and should not have.
    private static func strayEvents(in events: [PartyEvent]) -> [PartyEvent] {
        var isRunning = false
        return events.filter { event in
            if case .heroJoined = event.kind { return false }
            if case .heroLeft = event.kind { return false }
            if case .leaderChanged = event.kind { return false }
            if event.kind.name == .adventureBegan { isRunning = true }
            let isStray = !isRunning
            if case .adventureOver = event.kind { isRunning = false }
            return isStray
        }
    }
}
