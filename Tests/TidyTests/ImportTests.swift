import Testing

@Suite("Modules import what the table of ImportRules allows")
struct ImportTests {
    @Test("no file imports what its module must not")
    func sourcesKeepTheTable() {
        #expect(Repository.sources.flatMap(ImportRules.findings) == [])
    }

    @Test("every permission is used")
    func permissionsAreUsed() {
        #expect(ImportRules.unused(in: Repository.sources) == [])
        let lonely = SourceFile(path: "Sources/PushPolicy/Lonely.swift", text: "let one = 1")
        #expect(
            ImportRules.unused(in: [lonely]).contains(
                "PushPolicy may import GameLogic, and does not"))
    }

    @Test("ARCHITECTURE.md names every module")
    func documentNamesModules() {
        let named = DocumentRules.spans(in: Repository.text(of: "ARCHITECTURE.md"))
            .flatMap { $0.split(separator: "/").map(String.init) }
        let plugins: Set = ["EmbedFiles"]
        #expect(Set(ImportRules.allowed.keys).subtracting(named).subtracting(plugins) == [])
    }

    @Test("every module of the table has a folder, and every folder of Swift a row")
    func modulesAreFolders() {
        #expect(Set(Repository.sources.map(\.module)) == Set(ImportRules.allowed.keys))
    }

    @Test("every module but the executables and the plugin has its tests")
    func modulesHaveTests() {
        let missing = ImportRules.allowed.keys.filter {
            ![
                "rangers", "rangers-tools", "push-load", "embed-files", "EmbedFiles",
            ].contains($0)
        }
        .filter { !Repository.isFolder("Tests/\($0)Tests") }
        #expect(missing == [])
    }

    @Test("modules without Foundation stay without it")
    func pureModulesStayPure() {
        for module in [
            "GameLogic", "PushPolicy", "JSONWriter", "ByteCoding", "OptionParsing", "HTTP2",
            "HTTPServer", "Isolation", "Secrets", "APNsClient", "PartyStore", "RangersServer",
            "PushLoad", "rangers", "ConsolePages",
        ] {
            #expect(ImportRules.allowed[module]?.contains("Foundation") == false, "\(module)")
        }
    }

    @Test(
        "control: a forbidden import is found",
        arguments: [
            "import Foundation", "internal import Foundation", "package import Foundation",
            "@preconcurrency import Foundation", "import struct Foundation.Date",
            "/* quiet */ import Foundation", "#if canImport(Foundation)\nimport Foundation\n#endif",
        ])
    func forbiddenImportIsFound(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Bad.swift", text: text)
        #expect(ImportRules.findings(in: file).count == 1)
    }

    @Test("control: words about imports are no imports")
    func wordsAreNoImports() {
        let text = "// import Foundation\nlet text = \"import Foundation\"\n"
        let file = SourceFile(path: "Sources/GameLogic/Good.swift", text: text)
        #expect(ImportRules.findings(in: file) == [])
    }

    @Test("control: a module without a row is found")
    func unknownModuleIsFound() {
        let file = SourceFile(path: "Sources/Mystery/New.swift", text: "")
        #expect(ImportRules.findings(in: file).count == 1)
    }
}
