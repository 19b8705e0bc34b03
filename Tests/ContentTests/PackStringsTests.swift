internal import JSONReader
internal import PushPolicy
internal import Testing

@testable internal import Content

@Suite("Packs and translators") struct PackStringsTests {
    /// The magpie pecks in two ways in German, and in one in the other languages.
    private static let file = PackFile.json(
        replacing: "\"de\": \"The magpie pecked %@.\"",
        by: "\"de\": [\"Gepickt: %@.\", \"Au, %@!\"]")

    private let pie: PackDocument
    private let catalog: String

    init() throws {
        pie = try PackDocument(json: Self.file)
        catalog = String(decoding: PackStrings.catalog(of: pie), as: UTF8.self)
    }

    private func imported(_ catalog: String) throws -> [UInt8] {
        try PackStrings.file(Self.file, with: Array(catalog.utf8))
    }

    @Test("a String Catalog has every text, each variant under a key, and a pack takes them back")
    func thereAndBack() throws {
        let strings = try #require(try JSONValue(parsing: Array(catalog.utf8))["strings"])
        #expect(strings.fields?.count == pie.texts.texts.count + 1)
        let found = strings["stolen-pie.crumb.found"]
        #expect(found?["extractionState"]?.text == "manual")
        #expect(
            found?["localizations"]?["de"]?["stringUnit"]?["value"]?.text == "%@ found a crumb!")
        let second = strings["stolen-pie.magpie.hits #2"]?["localizations"]
        #expect(second?.fields?.map(\.name) == ["de"])
        #expect(second?["de"]?["stringUnit"]?["value"]?.text == "Au, %@!")
        let again = try PackDocument(json: imported(catalog))
        #expect(again.rulesBody == pie.rulesBody && again.textsBody == pie.textsBody)
    }

    @Test("a translator's text comes into the pack; other packs' texts stay out")
    func translated() throws {
        let file = try imported(
            catalog.replacing("\"Au, %@!\"", with: "\"Autsch, %@!\"")
                .replacing("\"stolen-pie.title\"", with: "\"other.title\""))
        let texts = try JSONValue(parsing: file)["texts"]
        #expect(
            texts?["magpie.hits"]?["de"] == .array([.text("Gepickt: %@."), .text("Autsch, %@!")]))
        #expect(!String(decoding: file, as: UTF8.self).contains("other"))
        let error = #expect(throws: PackFaults.self) { try PackDocument(json: file) }
        #expect(error?.faults == [PackFault("texts", "1 text is missing: title")])
    }

    @Test("a variant that a translator leaves empty is left out, whatever its number")
    func empty() throws {
        let file = try imported(catalog.replacing("\"Gepickt: %@.\"", with: "\"\""))
        #expect(
            try JSONValue(parsing: file)["texts"]?["magpie.hits"]?["de"] == .text("Au, %@!"))
    }

    @Test("plural forms are variations of the catalog, and come back as forms of the pack")
    func plural() throws {
        let unit = try #require(catalog.firstRange(of: /"stringUnit": {[^}]*Au, [^}]*}/))
        let forms = ["one", "other"].map {
            "\"\($0)\": {\"stringUnit\": {\"state\": \"translated\", \"value\": \"Au, %@!\"}}"
        }.joined(separator: ", ")
        var translated = catalog
        translated.replaceSubrange(unit, with: "\"variations\": {\"plural\": {\(forms)}}")
        let file = try imported(translated)
        let found = try JSONValue(parsing: file)["texts"]?["magpie.hits"]?["de"]?.elements?.last
        #expect(found?["one"]?.text == "Au, %@!" && found?["other"]?.text == "Au, %@!")
        // A peck has no count.
        let error = #expect(throws: PackFaults.self) { try PackDocument(json: file) }
        #expect(error?.faults.map(\.path) == ["texts.magpie.hits.de[1].one"])
    }

    @Test("what is no catalog, or no pack, is refused")
    func refused() {
        #expect(throws: PackFaults.self) { try imported("{}") }
        #expect(throws: PackFaults.self) { try PackStrings.file([], with: []) }
    }
}
