import Foundation
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// C2: names that no new hero may have.
@Suite("Names that are not allowed", .timeLimit(.minutes(2)), .simulated)
struct NameListTests {
    private static func create(
        _ name: String, as player: TestPlayer, type: String = "Bear"
    ) async -> Int {
        await player.send(
            .post, "/v1/heroes", #"{"name":"\#(name)","avatar":"🐼","heroType":"\#(type)"}"#
        ).status
    }

    @Test(
        "C2: names are compared without case, width, style and accents, and by what they look like",
        arguments: [
            "villain", "VILLAIN", "ｖｉｌｌａｉｎ", "vílläin", "v1lla1n", "V|LLA|N", "V.i-l l_a!in",
            "V\u{200C}illain", "vi\u{0301}llain", "v\u{0338}illain", "ᵛillain", "𝓿𝓲𝓵𝓵𝓪𝓲𝓷",
            "ⓥⓘⓛⓛⓐⓘⓝ", "νіllаіn", "ѵιllаin", "VІLLАІN",
        ])
    func lookAlikes(name: String) {
        #expect(!Set(FoldedName(name).forms).isDisjoint(with: FoldedName("Villain").forms))
    }

    @Test(
        "C2: letters look alike in one case or in both, and some like two",
        arguments: [
            ("вооt", "Boot"), ("ВООТ", "boot"), ("ѕһірmаtе", "shipmate"), ("СУКА", "сука"),
            ("ΝΌΜΟΣ", "νόμος"), ("rnodel", "Model"), ("ﬁend", "fiend"), ("GAUSS", "Gauß"),
            ("B00", "boo"), ("ﾊﾟﾝﾀﾞ", "パンダ"),
        ])
    func cases(name: String, other: String) {
        #expect(!Set(FoldedName(name).forms).isDisjoint(with: FoldedName(other).forms))
    }

    @Test("C2: names that look different stay apart")
    func otherNames() {
        for (name, other) in [
            ("Panda", "Pandora"), ("nine", "vine"), ("Hop", "Nop"), ("パンダ", "ハンマ"), ("🐼", "🐻"),
        ] {
            let forms = FoldedName(name).forms
            #expect(!forms.isEmpty)
            #expect(Set(forms).isDisjoint(with: FoldedName(other).forms), "\(name) \(other)")
        }
        #expect(FoldedName(" .-_").forms.isEmpty)
    }

    @Test("a line forbids a name, one with asterisks every name that contains it")
    func lines() throws {
        let list = try NameList(Array("# a comment\n\nVillain  # me\n*b00* \n".utf8))
        for (name, isForbidden) in [
            ("v1llаin", true), ("Villains", false), ("Boo", true), ("Bamboozle", true),
            ("a comment", false), ("Power Panda", false),
        ] { #expect(list.contains(FoldedName(name)) == isForbidden, "\(name)") }
    }

    @Test("a file that cannot be used is refused with its fault")
    func faults() {
        #expect(throws: NameListFault.noLetters(line: 2)) { try NameList(Array("a\n--\n".utf8)) }
        #expect(throws: NameListFault.notUTF8) { try NameList([0x61, 0xFF]) }
        #expect(throws: NameListFault.tooLarge) {
            try NameList(Array(repeating: 0x61, count: NameList.bytesMax + 1))
        }
        #expect(throws: NameListFault.unreadable) { try NameList.read("/nowhere/at/all") }
    }

    @Test("C2: the operator's file is read again when it changes; a bad one leaves the old list")
    func reloaded() async throws {
        let file = NSTemporaryDirectory() + "/names-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: file) }
        func write(_ text: String) throws {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        }
        try write("Villain\n")
        let server = try await TestServer(blockedNames: file)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        #expect(await Self.create("V1llain", as: panda) == 409)
        #expect(await Self.create("Hero", as: panda, type: "Villain") == 409)
        #expect(await Self.create("Rogue", as: panda) == 201)
        try write("--\n")
        await server.step(forSeconds: 11)
        #expect(await Self.create("V1llain", as: panda) == 409)
        #expect(server.logged.withLock { $0.contains("the old one stays in force") })
        try write("Rogue\n")
        await server.step(forSeconds: 11)
        #expect(await Self.create("V1llain", as: panda) == 201)
        #expect(await Self.create("Rogue", as: panda) == 409)
        try FileManager.default.removeItem(atPath: file)
        await server.step(forSeconds: 11)
        #expect(await Self.create("Rogue", as: panda) == 409)
        await server.server.drain()
    }

    @Test("C2: a moderator bans a name and allows it again, also after a restart")
    func banned() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        for _ in 1...2 {
            let banned = await server.admin(.put, "/v1/admin/banned-names/V1llain", "{}")
            #expect(banned.status == 204)
        }
        #expect(await Self.create("Villain", as: panda) == 409)
        let listed = await server.admin(.get, "/v1/admin/banned-names").body["names"].array
        #expect(listed.map { $0["name"].string } == ["V1llain"])
        #expect(await server.admin(.put, "/v1/admin/banned-names/--", "{}").status == 400)
        await server.server.drain()
        let second = try await TestServer(file: server.file)
        let again = panda.moved(to: second)
        #expect(await Self.create("Villain", as: again) == 409)
        #expect(await second.admin(.delete, "/v1/admin/banned-names/villain").status == 204)
        #expect(await Self.create("Villain", as: again) == 201)
        await second.server.drain()
    }
}
