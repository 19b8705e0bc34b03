import Foundation
import Testing

@testable import Playtest

@Suite("The testbed's folder")
struct TestbedFolderTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func withFolder(_ body: (TestbedFolder) throws -> Void) throws {
        let folder = try TestbedFolder(nil)
        defer { folder.removeIfTemporary() }
        try body(folder)
    }

    @Test("PR16: the folder and its secrets are for their owner's eyes only")
    func modes() throws {
        try withFolder { folder in
            _ = try folder.adminKey()
            try folder.save(SavedParty(party: "p", bots: [try Sample.bot()]))
            #expect(try mode(folder.path) == 0o700)
            #expect(try mode(folder.adminKeyFile) == 0o600)
            #expect(try mode(folder.savedPartyFile) == 0o600)
        }
    }

    @Test("the admin key is made once")
    func adminKey() throws {
        try withFolder { folder in
            let key = try folder.adminKey()
            #expect(key.count >= 32)
            #expect(try folder.adminKey() == key)
        }
    }

    @Test("a temporary folder goes away, one with a name stays")
    func removal() throws {
        let temporary = try TestbedFolder(nil)
        temporary.removeIfTemporary()
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
        let named = try TestbedFolder(temporary.path)
        named.removeIfTemporary()
        #expect(FileManager.default.fileExists(atPath: named.path))
        try FileManager.default.removeItem(atPath: named.path)
    }

    @Test("a saved party comes back as it was, and no party is none")
    func saved() throws {
        try withFolder { folder in
            #expect(try folder.savedParty() == nil)
            try folder.save(SavedParty(party: "p", bots: [try Sample.bot(language: "ja")]))
            let party = try #require(try folder.savedParty())
            #expect(party.party == "p")
            #expect(party.bots.map(\.language) == ["ja"])
        }
    }

    @Test("a corrupt party is reported with its file, and without its contents")
    func corrupt() throws {
        try withFolder { folder in
            let text = Data(#"{"party":"secret"#.utf8)
            try text.write(to: URL(fileURLWithPath: folder.savedPartyFile))
            let error = #expect(throws: TestbedError.self) { try folder.savedParty() }
            let words = try #require(error).description
            #expect(words.contains(folder.savedPartyFile))
            #expect(!words.contains("secret"))
        }
    }
}
