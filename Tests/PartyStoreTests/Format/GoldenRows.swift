import ByteCoding
import Content
import Foundation
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// The rows whose bytes are kept, by name: one of each kind, every event and command.
enum GoldenRows {
    static func all() throws -> [(name: String, row: StoredRow)] {
        let stored = try FormatSample.stored()
        return [
            (
                "party",
                StoredRow(.party, columns: stored) { PartyStateFormat.write(stored, to: &$0) }
            ),
            (
                "snapshot",
                StoredRow(.snapshot) {
                    FoldedPartyFormat.write(
                        FoldedParty(party: stored.party, version: 42), to: &$0)
                }
            ),
            ("journal", journal(FormatSample.journal)), ("everyEvent", journal(everyEvent)),
            ("pushes", journal(FormatSample.pushed)),
            ("registration", registration(FormatSample.registration)),
            ("spectators", registration(stored.activities[3].registration)),
            ("confirmedRegistration", registration(FormatSample.confirmedRegistration)),
            (
                "confirmedTraits",
                StoredRow(.traits) {
                    StartDeviceFormat.write(traits: FormatSample.confirmedTraits, to: &$0)
                }
            ),
            ("hero", StoredRow(.hero) { HeroFormat.write(FormatSample.panda, to: &$0) }),
            (
                "outcomes",
                StoredRow(.outcomes) { OutcomesFormat.write(FormatSample.outcomes, to: &$0) }
            ),
        ]
            + zip(
                [
                    "traits", "starts", "channel", "providerToken", "adminKey", "call", "refused",
                    "pause", "clock", "session", "dryRun", "tokenLetter", "shareLetter",
                    "stateLetter", "phone", "emptyPhone",
                ], StoredRow.others)
            + commands.enumerated().map { ("command\($0 + 1)", journal($1)) } + (try stories())
    }

    private static func stories() throws -> [(name: String, row: StoredRow)] {
        let (stored, hero) = (try StorySample.stored(), try StorySample.hero())
        let (asked, inn) = (
            StorySample.stored(try StorySample.askedParty()),
            StorySample.stored(try StorySample.partyWithInn())
        )
        return [
            (
                "story",
                StoredRow(.party, columns: stored) { PartyStateFormat.write(stored, to: &$0) }
            ),
            ("home", StoredRow(.hero) { HeroFormat.write(hero, to: &$0) }),
            ("storyEvents", journal(StorySample.events)),
            ("worldEvents", journal(StorySample.worldEvents)),
            ("findEvents", journal(StorySample.findEvents)),
            (
                "readyCheck",
                StoredRow(.party, columns: asked) { PartyStateFormat.write(asked, to: &$0) }
            ),
            ("inn", StoredRow(.party, columns: inn) { PartyStateFormat.write(inn, to: &$0) }),
            ("readyEvents", journal(StorySample.readyEvents)),
        ] + StorySample.registrations.map { ($0, registration($1)) }
            + (try StorySample.commands()).enumerated().map {
                ("storyCommand\($0 + 1)", journal($1))
            }
    }

    /// The bytes of rows as text: a name and hex in each line.
    static func hex(of rows: [(name: String, row: StoredRow)]) -> String {
        rows.map { name, row in "\(name) \(hex(row.bytes))\n" }.joined()
    }

    /// The same rows with the bytes that are kept.
    static func kept() throws -> [(name: String, row: StoredRow)] {
        let file = Bundle.module.url(
            forResource: "format1", withExtension: "txt", subdirectory: "Fixtures")
        let lines = try String(contentsOf: try #require(file), encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: " ") }
        return try all().map { name, row in
            var row = row
            row.bytes = bytes(try #require(lines.first { $0[0] == name })[1])
            return (name, row)
        }
    }

    private static func bytes(_ hex: Substring) -> [UInt8] {
        let digits = hex.compactMap { UInt8($0.hexDigitValue ?? 0) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func registration(_ registration: ActivityRegistration) -> StoredRow {
        StoredRow(.registration) { RegistrationFormat.write(registration, to: &$0) }
    }

    private static func journal(_ entry: JournalEntry) -> StoredRow {
        StoredRow(.journal) { JournalEntry.write(entry, to: &$0) }
    }

    private static let tag = HeroTag(id: HeroID("1"), name: "Panda")
    private static let other = HeroTag(id: HeroID("2"), name: "Foxy")
    private static let outcomes: [Outcome] =
        [.partyDefeated, .timeLimit, .endedByGameMaster, .abandoned]
        + Boss.base.map { .bossDefeated($0, by: tag) }

    /// The kinds whose bytes are golden, in the order of those bytes: append new ones.
    private static let kinds: [PartyEvent.Kind] =
        [
            .adventureBegan(.sample), .smallHeal(tag, amount: 1), .knockedDown(tag),
            .potionUsed(by: tag, on: tag), .potionUsed(by: tag, on: other), .revived(tag),
            .stormRaised, .heroJoined(tag), .heroLeft(tag), .connectionLost(tag),
            .connectionReturned(tag), .partyDefeated, .timeLimitReached(in: .sample),
        ]
        + Item.base.flatMap { [.commonLootFound(tag, $0), .rareLootFound(tag, $0)] }
        + Foe.base.flatMap {
            [
                .hurt(tag, by: $0, damage: 1), .criticallyHit(tag, by: $0, damage: 1),
                .foeDefeated($0, by: tag),
            ]
        }
        + Boss.base.flatMap {
            [.bossAppeared($0), .bossEnraged($0), .bossDefeated($0, by: tag)]
        } + outcomes.map { .adventureOver($0, in: .sample) } + [
            .leaderChanged(tag), .potionsFound(tag, count: 2), .adventurePaused(minutes: 60),
            .adventureResumed, .messageSent(.sample),
        ]

    private static let everyEvent = JournalEntry(
        events: kinds.enumerated().map { index, kind in
            PartyEvent(sequence: 100 + index, time: .seconds(Int64(index)), kind: kind)
        })

    private static let commands: [JournalEntry] = [
        .join(FormatSample.panda), .leave(FormatSample.panda.id),
        .start(seed: .max, EmbeddedPacks.classic),
        .usePotion(by: FormatSample.panda.id, on: FormatSample.bear.id), .summonBoss,
        .dropLoot(FormatSample.bear.id), .dropLoot(nil), .raiseStorm, .end,
        .kick(FormatSample.bear.id), .promote(FormatSample.bear.id),
        .claimLead(FormatSample.bear.id), .disband,
        .arrange(.boss(.kraken)), .arrange(.item(.sword, for: FormatSample.bear.id)),
        .arrange(.item(.coin, for: nil)), .arrange(.potions(3, for: nil)),
        .arrange(.storm(strength: 50)), .arrange(.heal(nil, amount: 1000, .none)),
        .arrange(.heal(FormatSample.bear.id, amount: 1, .wakes)), .arrange(.end(.timeLimit)),
        .arrange(.end(.partyDefeated)), .arrange(.end(.endedByGameMaster)),
        .arrange(.pause(minutes: 60, then: nil)),
        .arrange(.pause(minutes: 1, then: .endedByGameMaster)), .arrange(.resume),
        .arrange(.message(.sample)),
    ].map { JournalEntry(command: LoggedCommand(command: $0, time: .seconds(5))) }
}
