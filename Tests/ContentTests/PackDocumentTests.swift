internal import GameLogic
internal import PushPolicy
internal import Testing

@testable internal import Content

@Suite("A pack as it is stored") struct PackDocumentTests {
    private let pie = Result { try PackDocument(json: Array(PackFile.json.utf8)) }

    @Test("the pack has its own things under its own name, and those of base.json")
    func things() throws {
        let pack = try pie.get().pack
        #expect(pack.reference == Pack.Reference(id: "stolen-pie", version: 1))
        #expect(pack.foes[Foe("stolen-pie/1.magpie")]?.exp == 20)
        #expect(pack.foes[Foe("slime")]?.exp == 20)
        #expect(pack.finale == [Weighted(Boss("stolen-pie/1.raccoon"), weight: 1)])
        // In the byte order of the names.
        #expect(
            pack.commonLoot == [
                Weighted(Item("coin"), weight: 1), Weighted(Item("stolen-pie/1.crumb"), weight: 3),
            ])
    }

    @Test("it is restored from its bodies as it was")
    func restored() throws {
        let document = try pie.get()
        let again = try PackDocument(
            rulesBody: document.rulesBody, textsBody: document.textsBody)
        #expect(again.rulesBody == document.rulesBody && again.textsBody == document.textsBody)
        #expect(again.pack.stages == document.pack.stages)
        #expect(again.texts == document.texts)
    }

    @Test("the form of the file does not count, nor do words and languages; the rules do")
    func hash() throws {
        let document = try pie.get()
        let spaced = try PackDocument(
            json: Array(
                PackFile.json.replacing("\": ", with: "\" :\n ").utf8))
        #expect(spaced.rulesHash == document.rulesHash)
        let said = try PackDocument(
            json: PackFile.json(replacing: "The magpie pecked %@.", by: "The magpie bit %@."))
        #expect(said.rulesHash == document.rulesHash && said.textsBody != document.textsBody)
        let languages = "\"languages\": [\"en\", \"de\", \"es\", \"fr\", \"ja\", \"zh-Hans\"],"
        let named = try PackDocument(
            json: PackFile.json(replacing: "\"bag\": 1,", by: "\"bag\": 1, \(languages)"))
        #expect(named.rulesHash == document.rulesHash && named.textsBody != document.textsBody)
        let ruled = try PackDocument(
            json: PackFile.json(replacing: "\"exp\": 20", by: "\"exp\": 21"))
        #expect(ruled.rulesHash != document.rulesHash)
    }

    @Test("a text is there in every language, or in English")
    func texts() throws {
        let texts = PackTexts([
            "title": [.english: [.plain("Pie")], .german: [.plain("Kuchen"), .plain("Torte")]]
        ])
        #expect(texts.text("title", in: .german) == "Kuchen")
        #expect(texts.text("title", in: .japanese) == "Pie")
        #expect(texts.text("pitch", in: .english) == nil)
    }

    @Test("wide characters take two columns")
    func columns() {
        #expect(Columns.count(of: "剣 a！") == 6)
    }
}
