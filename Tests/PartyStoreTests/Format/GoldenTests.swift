import Foundation
import Testing

@testable import PartyStore

/// Rows of every format are in files of players: their bytes must give the same values for ever.
@Suite struct GoldenTests {
    @Test("the bytes of every kind of row, event and command")
    func bytes() throws {
        #expect(
            GoldenRows.hex(of: try GoldenRows.all()) == GoldenRows.hex(of: try GoldenRows.kept()))
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
        #expect(try GoldenRows.kept(format: 1).first?.row.party() == expected)
    }

    @Test("a party of format 2 has the time of its code, and its former members")
    func formerMembers() throws {
        let party = try GoldenRows.kept(format: 2).first?.row.party()
        #expect(party == (try FormatSample.stored()))
    }

    @Test("a journal is the journal that it was")
    func journal() throws {
        let row = try #require(try GoldenRows.kept().first { $0.name == "journal" }?.row)
        #expect(try row.bytes.withUnsafeBytes { try JournalEntry.read($0) } == FormatSample.journal)
    }
}
