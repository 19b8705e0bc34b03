import Foundation
import Testing

@testable import PartyStore

/// Rows of format 1 are in files of players: their bytes must give the same values for ever.
@Suite struct GoldenTests {
    @Test("the bytes of every kind of row, event and command")
    func bytes() throws {
        #expect(GoldenRows.hex(of: try GoldenRows.all()) == (try GoldenRows.keptText()))
    }

    @Test("rows of format 1 are read, and written as they were")
    func rewritten() throws {
        for (name, row) in try GoldenRows.kept() {
            #expect(try row.rewritten() == row.bytes, "\(name)")
        }
    }

    @Test("a party of format 1 is the party that it was")
    func party() throws {
        let party = try GoldenRows.kept().first?.row.party()
        #expect(party == (try FormatSample.stored()))
    }

    @Test("a journal of format 1 is the journal that it was")
    func journal() throws {
        let row = try #require(try GoldenRows.kept().first { $0.name == "journal" }?.row)
        #expect(try row.bytes.withUnsafeBytes { try JournalEntry.read($0) } == FormatSample.journal)
    }
}
