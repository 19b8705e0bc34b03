import ByteCoding
import Content
import Foundation
import GameLogic
import Testing

@testable import PartyStore

/// A story has the same events in one step or in many, with restarts and without.
@Suite("The identity of stories")
struct IdentityTests {
    /// `IDENTITY_SEEDS=1430` plays 10,000 stories, in a minute and a half without optimization.
    private static let seeds =
        ProcessInfo.processInfo.environment["IDENTITY_SEEDS"].flatMap { UInt64($0) } ?? 60

    /// All packs, and a newer version of each with other rules: a running adventure keeps its own.
    private static let packs: Packs = {
        var packs = Packs(EmbeddedPacks.documents.map(\.pack))
        for document in EmbeddedPacks.documents {
            let file = EmbeddedPacks.file(named: document.pack.reference.id) ?? []
            let json = String(decoding: file, as: UTF8.self)
            let newer = json.replacing(/"version": (\d+)/, maxReplacements: 1) { match in
                "\"version\": \((Int(match.1) ?? 0) + 1)"
            }.replacing(/"strengthPercent": \d+/, maxReplacements: 1) { _ in
                "\"strengthPercent\": 61"
            }
            if let document = try? PackDocument(json: Array(newer.utf8)) {
                packs.add(document.pack)
            }
        }
        return packs
    }()

    private struct Told {
        var party = Party(id: PartyID("party"))
        var events: [PartyEvent] = []
        var commands: [(command: Command, time: GameTime)] = []

        /// Tells the story in many steps. The server restarts at random, and reads its row again.
        init(_ pack: Pack, seed: UInt64) throws {
            var dice = SeededRandom(seed: seed)
            for number in 0..<dice.draw(in: 1...5) {
                let hero = Hero(
                    id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
                    name: "H\(number)", avatar: "🐸",
                    heroType: HeroClass.allCases[number % HeroClass.allCases.count].heroType)
                try tell(.join(hero), at: .zero)
            }
            try tell(.start(seed: seed, pack, Departure(.normal)), at: .zero)
            while let next = party.nextChangeAt {
                let early = (party.adventure?.advancedTo ?? .zero).milliseconds
                events += party.advance(
                    to: GameTime(milliseconds: early + (next.milliseconds - early) / 2))
                events += party.advance(to: next)
                if dice.draw(in: 1...4) == 1 { party = try IdentityTests.restarted(party) }
                let hero = party.members[dice.draw(in: 0...party.members.count - 1)].hero.id
                for ask in party.adventure?.course.asks ?? [] {
                    // A hero whom it does not concern is refused.
                    try? tell(
                        .answer(hero, ask: ask.id, yes: dice.draw(in: 0...1) == 0), at: next)
                }
                let other = party.members[dice.draw(in: 0...party.members.count - 1)].hero.id
                if dice.draw(in: 1...9) == 1 {
                    try? tell(.usePotion(by: hero, on: other), at: next)
                }
            }
        }

        private mutating func tell(_ command: Command, at time: GameTime) throws {
            events += try party.apply(command, at: time)
            commands.append((command, time))
        }
    }

    /// The party, as a server reads it that has newer packs too.
    private static func restarted(_ party: Party) throws -> Party {
        var writer = ByteWriter()
        var roster = Roster()
        PartyFormat.append(party, &roster, to: &writer)
        return try writer.bytes.withUnsafeBytes { row in
            var reader = ByteReader(row)
            var roster = Roster()
            return try PartyFormat.next(&reader, id: party.id, &roster, packs: packs)
        }
    }

    @Test(
        "C1: in one step or a thousand, restarted or not, packs replaced or not: the same events",
        arguments: EmbeddedPacks.documents)
    func identity(document: PackDocument) throws {
        let next = Pack.Reference(
            id: document.pack.reference.id, version: document.pack.reference.version + 1)
        #expect(Self.packs[next] != nil)
        for seed in 1...Self.seeds {
            let told = try Told(document.pack, seed: seed)
            let (party, events) = try Party.replay(
                from: Party(id: told.party.id), commands: told.commands,
                through: told.party.adventure?.advancedTo ?? .zero)
            let isSame = party == told.party && events == told.events
            #expect(isSame, "seed \(seed)")
            #expect(told.party.adventure?.isOver == true, "seed \(seed)")
        }
    }
}
