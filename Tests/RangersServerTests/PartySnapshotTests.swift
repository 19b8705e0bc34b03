import Content
import GameLogic
import HTTPServer
import PartyStore
import PushPolicy
import Testing

@testable import RangersServer

@Suite struct PartySnapshotTests {
    private static let noon = WallTime(milliseconds: 1_800_000_000_000)
    private static let languages: [Language] = [.english, .japanese]

    /// A party that plays by a seed, with the snapshots of its changes.
    private struct Play {
        var stored: StoredParty
        var snapshot: PartySnapshot
        private var events: [LoggedEvent] = []
        private var dice: SeededRandom

        init(seed: UInt64) throws {
            dice = SeededRandom(seed: seed)
            stored = StoredParty(
                key: PartyKey(number: 1), version: 1, party: Party(id: PartyID("party-1")),
                clock: PartyClock(beganAt: noon, millisecondsPerSecond: 1000),
                inviteCode: "CODE", createdAt: noon)
            snapshot = PartySnapshot(
                stored, firstKeptEvent: 1, events: [], wallOffsets: WallOffsets(),
                mayHideNames: false)
            for number in 1...4 { try change(.join(Self.hero(number)), at: 0) }
        }

        private static func hero(_ number: Int) -> Hero {
            Hero(
                id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
                name: "Grüße \(number) 🐻 \"", avatar: "🐼", heroType: "Forest Dweller")
        }

        /// Plays on by a minute, or less.
        mutating func step(_ step: Int) throws {
            let heroes = stored.party.members.map(\.hero.id)
            let joining = Self.hero(dice.draw(in: 1...6))
            guard let first = heroes.first, let last = heroes.last else {
                return try change(.join(joining), at: step)
            }
            let commands: [Command?] = [
                nil, nil, nil, nil, .usePotion(by: first, on: last), .dropLoot(last), .raiseStorm,
                .summonBoss, .start(seed: dice.next(), EmbeddedPacks.classic), .end, .leave(first),
                .leave(last),
                .join(joining), .promote(last),
            ]
            try change(commands[dice.draw(in: 0...commands.count - 1)], at: step)
        }

        private mutating func change(_ command: Command?, at step: Int) throws {
            let now = noon.adding(seconds: Int64(step) * 60)
            let time = stored.clock.gameTime(at: now)
            var new = stored.party.advance(to: time)
            if let command, let more = try? stored.party.apply(command, at: time) {
                new += more
                if case .start = command { stored.clock.beganAt = now }
            }
            stored.version += 1
            var commit = PartyCommit(stored: stored, isAwake: true, at: now)
            commit.events = new
            events += new.map { LoggedEvent(event: $0, at: now) }
            snapshot = try #require(snapshot.next(commit, hiding: nil))
        }

        /// The snapshot of a party that was just loaded.
        var loaded: PartySnapshot {
            PartySnapshot(
                stored, firstKeptEvent: 1, events: events.suffix(PartySnapshot.eventsMax),
                wallOffsets: WallOffsets(), mayHideNames: false)
        }

        /// Whether a reader comes now.
        mutating func isRead() -> Bool { dice.draw(in: 1...3) > 1 }
    }

    private static func body(_ snapshot: PartySnapshot, _ language: Language, _ words: Words)
        -> String
    {
        String(
            decoding: snapshot.response(in: language, words: words, names: .own).body,
            as: UTF8.self)
    }

    @Test("a version read after others is written as if it were the first", arguments: 1...12)
    func kept(seed: UInt64) throws {
        let words = try Words.embedded()
        var play = try Play(seed: seed)
        var reads = 0
        for step in 1...60 {
            try play.step(step)
            for language in Self.languages where play.isRead() {
                reads += 1
                #expect(
                    Self.body(play.snapshot, language, words)
                        == Self.body(play.loaded, language, words))
                let newest = play.stored.party.nextSequence - 2
                #expect(
                    play.snapshot.body(after: newest, in: language, words: words, names: .own)
                        == play.loaded.body(
                            after: newest, in: language, words: words, names: .own))
            }
        }
        #expect(reads > 20)
    }

    @Test("the response of a version is made once, whatever else was read of it")
    func once() throws {
        let words = try Words.embedded()
        let play = try Play(seed: 1)
        let first = play.snapshot.response(in: .english, words: words, names: .own)
        _ = play.snapshot.body(after: 0, in: .english, words: words, names: .own)
        _ = play.snapshot.response(in: .german, words: words, names: .own)
        #expect(play.snapshot.response(in: .english, words: words, names: .own) === first)
    }

    @Test("of two loads at once the newer one is kept, in whichever order they end")
    func loads() throws {
        var play = try Play(seed: 1)
        let old = play.loaded
        try play.step(1)
        let new = play.loaded
        try #require(new.stored.version > old.stored.version)
        for offers in [[old, new], [new, old]] {
            let snapshots = PartySnapshots()
            snapshots.mark(old.stored.id)
            #expect(offers.map(snapshots.offer) == [true, offers[0].stored == old.stored])
            #expect(snapshots.current(old.stored.id)?.stored == new.stored)
        }
    }
}
