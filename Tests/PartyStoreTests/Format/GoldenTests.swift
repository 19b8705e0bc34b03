import GameLogic
import Foundation
import Testing

@testable import PartyStore

/// Rows of every format are in files of players: their bytes must give the same values for ever.
@Suite struct GoldenTests {
    @Test("the bytes of every kind of row, event and command")
    func bytes() throws {
        let made = GoldenRows.hex(of: try GoldenRows.all()).split(separator: "\n")
        let kept = GoldenRows.hex(of: try GoldenRows.kept()).split(separator: "\n")
        #expect(made.count == kept.count)
        for (made, kept) in zip(made, kept) { #expect(made == kept) }
    }

    @Test("rows are read, and written as they were")
    func rewritten() throws {
        for (name, row) in try GoldenRows.kept() {
            #expect(try row.rewritten() == row.bytes, "\(name)")
        }
    }

    @Test("a party of format 1 is the party that it was")
    func party() throws {
        var expected = try FormatSample.stored()
        expected.former = FormerMembers()
        expected.code = InviteCode(text: "CODE", renewedAt: FormatSample.noon)
        expected.clock = FormatSample.clockWithoutPauses
        #expect(try GoldenRows.kept(format: 1).first?.row.party() == expected)
    }

    @Test("a party of format 2 has the time of its code, and its former members")
    func formerMembers() throws {
        var expected = try FormatSample.stored()
        expected.clock = FormatSample.clockWithoutPauses
        #expect(try GoldenRows.kept(format: 2).first?.row.party() == expected)
    }

    @Test("a party of format 3 has the pauses of its adventure")
    func pauses() throws {
        let party = try GoldenRows.kept(format: 3).first?.row.party()
        #expect(party == (try FormatSample.stored()))
    }

    @Test("the rows of format 3 have what was written")
    func pushes() throws {
        func kept(_ name: String) throws -> StoredRow {
            try #require(try GoldenRows.kept().first { $0.name == name }?.row)
        }
        let entry = try kept("pushes").bytes.withUnsafeBytes {
            try JournalEntry.read($0, packs: Packs())
        }
        #expect(entry == FormatSample.pushed)
        let outcomes = try kept("outcomes").bytes.withUnsafeBytes { try OutcomesFormat.read($0) }
        #expect(outcomes == FormatSample.outcomes)
    }

    @Test("a token of format 4 has the time when it was put again")
    func confirmed() throws {
        let rows = try GoldenRows.kept(format: 4)
        let row = try #require(rows.first { $0.name == "confirmedRegistration" }?.row)
        let registration = try row.bytes.withUnsafeBytes { try RegistrationFormat.read($0) }
        #expect(registration == FormatSample.confirmedRegistration)
        let traits = try #require(rows.first { $0.name == "confirmedTraits" }?.row)
        #expect(
            try traits.bytes.withUnsafeBytes { try StartDeviceFormat.traits($0) }
                == FormatSample.confirmedTraits)
    }

    @Test("the rows of format 5 have what was written")
    func stories() throws {
        func kept(_ name: String) throws -> StoredRow {
            try #require(try GoldenRows.kept(format: 5).first { $0.name == name }?.row)
        }
        let (party, story) = (try kept("story").party(), try StorySample.stored())
        #expect(party == story)
        for (name, registration) in StorySample.registrations {
            let read = try kept(name).bytes.withUnsafeBytes { try RegistrationFormat.read($0) }
            #expect(read == registration)
        }
        let hero = try kept("home").bytes.withUnsafeBytes { try HeroFormat.read($0) }
        #expect(hero == (try StorySample.hero()))
        let events = try kept("storyEvents").bytes.withUnsafeBytes {
            try JournalEntry.read($0, packs: Packs())
        }
        #expect(events == StorySample.events)
        let ofWorld = try kept("worldEvents").bytes.withUnsafeBytes {
            try JournalEntry.read($0, packs: Packs())
        }
        #expect(ofWorld == StorySample.worldEvents)
        let finds = try kept("findEvents").bytes.withUnsafeBytes {
            try JournalEntry.read($0, packs: Packs())
        }
        #expect(finds == StorySample.findEvents)
        let ready = try kept("readyEvents").bytes.withUnsafeBytes {
            try JournalEntry.read($0, packs: Packs())
        }
        #expect(ready == StorySample.readyEvents)
        #expect(
            try kept("readyCheck").party() == StorySample.stored(try StorySample.askedParty()))
        #expect(try kept("inn").party() == StorySample.stored(try StorySample.partyWithInn()))
    }

    @Test("a provider token of format 1 was signed when it says so")
    func providerToken() throws {
        let rows = try GoldenRows.kept(format: 1)
        let row = try #require(rows.first { $0.name == "providerToken" }?.row)
        let token = try row.bytes.withUnsafeBytes { try ProviderTokenFormat.read($0) }
        #expect(token.signedAt == FormatSample.noon)
        #expect(token.noOtherBefore == FormatSample.token.noOtherBefore)
        #expect(FormatSample.token.signedAt != token.signedAt)
    }

    @Test("the outcomes of format 1 have no responses")
    func outcomes() throws {
        let rows = try GoldenRows.kept(format: 1)
        let row = try #require(rows.first { $0.name == "outcomes" }?.row)
        let outcomes = try row.bytes.withUnsafeBytes { try OutcomesFormat.read($0) }
        #expect(outcomes.map(\.outcome) == FormatSample.outcomes.map(\.outcome))
        #expect(outcomes.count == 6 && outcomes.allSatisfy { $0.response == nil })
    }

    @Test("pushes and their responses take at most 32 bytes each in the journal")
    func size() throws {
        var (pushes, bytes) = (0, 0)
        for seed in UInt64(1)...10 {
            for commit in try PlayedParty(seed: seed).commits {
                var without = commit
                without.pushes = []
                without.responses = []
                pushes += commit.pushes.count
                bytes += Self.size(commit) - Self.size(without)
            }
        }
        #expect(pushes > 100)
        #expect(bytes <= 32 * pushes, "\(bytes) bytes for \(pushes) pushes")
    }

    private static func size(_ commit: PartyCommit) -> Int {
        StoredRow(.journal) { JournalEntry.write(commit, to: &$0) }.bytes.count
    }

    @Test("a journal is the journal that it was")
    func journal() throws {
        let row = try #require(try GoldenRows.kept().first { $0.name == "journal" }?.row)
        #expect(
            try row.bytes.withUnsafeBytes { try JournalEntry.read($0, packs: Packs()) }
                == FormatSample.journal)
    }
}
