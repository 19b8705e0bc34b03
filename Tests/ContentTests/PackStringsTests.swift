internal import JSONReader
internal import Testing

@testable internal import Content

@Suite("Packs and translators") struct PackStringsTests {
    private let pie: PackDocument
    private let file: [UInt8]

    init() throws {
        pie = try #require(EmbeddedPacks.document(named: "stolen-pie"))
        file = try #require(EmbeddedPacks.file(named: "stolen-pie"))
    }

    @Test("a String Catalog has every text, and a pack takes them back")
    func thereAndBack() throws {
        let catalog = PackStrings.catalog(of: pie)
        let strings = try #require(try JSONValue(parsing: catalog)["strings"])
        #expect(strings.fields?.count == pie.texts.texts.count)
        let found = strings["stolen-pie.crumb.found"]
        #expect(found?["extractionState"]?.text == "manual")
        #expect(
            found?["localizations"]?["de"]?["stringUnit"]?["value"]?.text
                == "%@ hat einen Krümel gefunden. Und gegessen!")
        let file = try PackStrings.file(self.file, with: catalog)
        let again = try PackDocument(json: file)
        #expect(again.rulesBody == pie.rulesBody && again.textsBody == pie.textsBody)
    }

    @Test("a translator's text comes into the pack; other packs' texts stay out")
    func translated() throws {
        let catalog = String(decoding: PackStrings.catalog(of: pie), as: UTF8.self)
            .replacing("%@ hat einen Krümel gefunden. Und gegessen!", with: "Ein Krümel für %@!")
            .replacing("\"stolen-pie.title\"", with: "\"other.title\"")
        let file = try PackStrings.file(self.file, with: Array(catalog.utf8))
        let text = String(decoding: file, as: UTF8.self)
        #expect(text.contains("\"de\": \"Ein Krümel für %@!\""))
        #expect(!text.contains("other"))
        let error = #expect(throws: PackFaults.self) { try PackDocument(json: file) }
        #expect(error?.faults == [PackFault("texts.title", "the text is missing")])
    }

    @Test("plural forms are variations of the catalog, and come back as forms of the pack")
    func plural() throws {
        let catalog = String(decoding: PackStrings.catalog(of: pie), as: UTF8.self)
        let text = "%@ hat einen Krümel gefunden. Und gegessen!"
        let unit = try #require(
            catalog.firstRange(of: /"stringUnit": {[^}]*Krümel gefunden. Und[^}]*}/))
        let forms = ["one", "other"].map {
            "\"\($0)\": {\"stringUnit\": {\"state\": \"translated\", \"value\": \"\(text)\"}}"
        }.joined(separator: ", ")
        var translated = catalog
        translated.replaceSubrange(unit, with: "\"variations\": {\"plural\": {\(forms)}}")
        let file = try PackStrings.file(self.file, with: Array(translated.utf8))
        let found = try JSONValue(parsing: file)["texts"]?["crumb.found"]?["de"]
        #expect(found?["one"]?.text == text && found?["other"]?.text == text)
        // A find has no count yet.
        let error = #expect(throws: PackFaults.self) { try PackDocument(json: file) }
        #expect(error?.faults.map(\.path) == ["texts.crumb.found.de.one"])
    }

    @Test("what is no catalog, or no pack, is refused")
    func refused() {
        #expect(throws: PackFaults.self) {
            try PackStrings.file(file, with: Array("{}".utf8))
        }
        #expect(throws: PackFaults.self) { try PackStrings.file([], with: []) }
    }
}
