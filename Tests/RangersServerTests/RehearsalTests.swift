import Content
import Foundation
import GameLogic
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C3: a pack's story, told to its designer")
struct RehearsalTests {
    private static func lines(
        _ pack: String, seed: UInt64 = 4, heroes: Int = 4, in language: Language = .english
    ) throws -> [String] {
        try Rehearsal.lines(
            of: try #require(EmbeddedPacks.document(named: pack)), seed: seed, heroes: heroes,
            in: language)
    }

    @Test("the story has its events with their times, the pushes of each phone, and a sum")
    func story() throws {
        let lines = try Self.lines("stolen-pie")
        let first = try #require(lines.first)
        #expect(first.hasPrefix("    0:00  "))
        #expect(Sentences.of("stolen-pie/2.begins").contains(String(first.dropFirst(10))))
        #expect(lines[1] == "          🐼 10  🥚 10  🐳 10  🦊 10")
        let comes = Sentences.of("stolen-pie/2.raccoon.comes")
        #expect(lines.contains { line in comes.contains { line.hasSuffix("  \($0)") } })
        let sum = try #require(lines.last)
        #expect(sum.hasPrefix("🦊 Foxy: ") && sum.contains(" of them at priority 10, "))
        #expect(try Self.lines("stolen-pie") == lines)
        #expect(try Self.lines("stolen-pie", seed: 5) != lines)
    }

    @Test("it speaks every language, with as many heroes as wished", arguments: Language.allCases)
    func languages(language: Language) throws {
        for (pack, heroes) in [
            ("stolen-pie", 1), ("stolen-pie", 8), ("titan-rush", 4), ("kraken-tide", 3),
        ] {
            let lines = try Self.lines(pack, heroes: heroes, in: language)
            #expect(lines.count > 20)
            // No key, and no gap that nobody filled.
            #expect(!lines.contains { $0.contains(pack) || $0.contains("%@") })
            #expect(lines.count { $0.contains(" of them at priority 10") } == heroes)
        }
    }

    @Test("the button of a question is shown where a phone has it")
    func buttons() throws {
        let lines = try Self.lines("stolen-pie")
        #expect(lines.contains { $0.contains("🐼 10 [Take cover!]") })
        #expect(try Self.lines("stolen-pie", in: .german).contains { $0.contains("[In Deckung!]") })
    }

    @Test("an alert is shown with its title")
    func alerts() throws {
        let alerted = try (UInt64(1)...20).contains { seed in
            try Self.lines("classic", seed: seed).contains {
                $0.contains(" 🔔 ") && $0.contains("down!")
            }
        }
        #expect(alerted)
    }
}

@Suite("The operator's folder of packs")
struct PackFolderTests {
    @Test("all packs are read, and all faults of all of them are named")
    func folder() throws {
        let path = TestServer.freshFile()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(try PackFolder.read(path).isEmpty)
        let pie = String(
            decoding: try #require(EmbeddedPacks.file(named: "stolen-pie")), as: UTF8.self)
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        }
        try write("b.json", pie)
        try write("a.json", pie.replacing("stolen-pie", with: "eaten-pie"))
        try write("notes.txt", "not a pack")
        // A pack whose German lies beside it.
        let german = try #require(
            EmbeddedPacks.files["stolen-pie.de.json"].map { String(decoding: $0, as: UTF8.self) })
        let rules = try #require(
            EmbeddedPacks.files["stolen-pie.json"].map { String(decoding: $0, as: UTF8.self) })
        let english = try #require(
            EmbeddedPacks.files["stolen-pie.en.json"].map { String(decoding: $0, as: UTF8.self) })
        try write("0.json", rules.replacing("stolen-pie", with: "split-pie"))
        try write("0.de.json", german)
        try write("0.en.json", english)
        let packs = try PackFolder.read(path)
        #expect(packs.map(\.pack.reference.id) == ["split-pie", "eaten-pie", "stolen-pie"])
        #expect(packs.first?.texts.languages == [.english, .german])
        try write("c.json", pie.replacing("\"level\": 1", with: "\"level\": 0"))
        try write("d.json", "{")
        let fault = #expect(throws: PackFolder.Fault.self) { try PackFolder.read(path) }
        #expect(
            fault?.description.split(separator: "\n").dropFirst()
                .map { $0.prefix { $0 != ";" } }.map(String.init) == [
                    "c.json: level: 0 must be 1 to 20",
                    "d.json: line 1, column 2: it is not JSON",
                ])
        #expect(throws: PackFolder.Fault(description: "a folder that can be read")) {
            try PackFolder.read(path + "/none")
        }
    }
}
