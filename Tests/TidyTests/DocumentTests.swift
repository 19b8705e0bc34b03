import Testing

@Suite("Documents say what is there")
struct DocumentTests {
    @Test("paths named in documents exist")
    func pathsExist() {
        let missing = Repository.documents.flatMap { document in
            DocumentRules.namedPaths(in: document.text, of: document.path)
                .filter { !Repository.exists($0) }.map { "\(document.path) names \($0)" }
        }
        #expect(missing == [])
    }

    @Test(
        "commands named in documents are commands of the executable",
        arguments: ["rangers", "rangers-tools"])
    func commandsExist(tool: String) {
        let words = Self.words(of: [tool, "OptionParsing"])
        let missing = Repository.documents.flatMap { document in
            DocumentRules.namedCommands(of: tool, in: document.text)
                .filter { !words.contains("\"\($0)\"") }
                .map { "\(document.path) names \(tool) \($0)" }
        }
        #expect(missing == [])
    }

    @Test("flags named in documents are flags of some command")
    func flagsExist() {
        let words = Self.words(of: [
            "rangers", "rangers-tools", "RangersServer", "Bench", "OptionParsing",
        ]).union(["\"help\""])
        let missing = Repository.documents.flatMap { document in
            DocumentRules.namedFlags(in: document.text).filter { !words.contains("\"\($0)\"") }
                .map { "\(document.path) names --\($0)" }
        }
        #expect(missing == [])
    }

    @Test("suites named in documents exist")
    func suitesExist() {
        let folders = Set(Repository.tests.map(\.module))
        let missing = Repository.documents.flatMap { document in
            DocumentRules.namedSuites(in: document.text)
                .filter { !folders.contains($0) && Self.files(ofSuite: $0).isEmpty }
                .map { "\(document.path) names \($0)" }
        }
        #expect(missing == [])
    }

    @Test("tests named in documents are in the suites that are named with them")
    func testsExist() {
        let named = Repository.documents.flatMap { document in
            DocumentRules.namedTests(in: document.text).map { (document.path, $0.suite, $0.test) }
        }
        #expect(named.count > 20)
        let missing = named.filter { !Self.has($0.1, $0.2) }
            .map { "\($0.0) names \($0.1): \($0.2)" }
        #expect(missing == [])
    }

    @Test("the threat model names a test for each of the ten risks of APIs")
    func everyRiskHasTests() {
        let rows = Repository.text(of: "docs/internals/threat-model.md").split(separator: "\n")
            .filter { $0.hasPrefix("| API") }
        #expect(rows.compactMap { Int($0.dropFirst(5).prefix { $0 != " " }) } == Array(1...10))
        let bare = rows.filter { DocumentRules.namedTests(in: String($0)).isEmpty }
        #expect(bare == [])
    }

    @Test("a page in docs/internals has at most 600 words, the one about nodes 900")
    func internalsAreShort() {
        let pages = Repository.documents.filter { $0.path.hasPrefix("docs/internals/") }
        #expect(pages.count > 10)
        let findings = pages.compactMap { DocumentRules.lengthFinding(in: $0.text, of: $0.path) }
        #expect(findings == [])
    }

    @Test("control: a page in docs/internals with one word too many is found")
    func longPagesAreFound() {
        func finding(_ count: Int, _ page: String) -> String? {
            let text = "# A\n" + String(repeating: " word\n", count: count - 2)
            return DocumentRules.lengthFinding(in: text, of: "docs/internals/" + page)
        }
        #expect(finding(600, "rows.md") == nil)
        #expect(finding(601, "rows.md") == "docs/internals/rows.md has 601 words, not 600")
        #expect(finding(900, "nodes.md") == nil)
        #expect(finding(901, "nodes.md") == "docs/internals/nodes.md has 901 words, not 900")
        #expect(finding(3000, "threat-model.md") == nil)
    }

    @Test("control: suites and tests that do not exist are found")
    func badTestsAreFound() {
        let text = """
            `NowhereTests` and `DocumentTests` and `TidyTests` and DocumentTests and `--Tests`
            | a risk | `DocumentTests`: a b; c `d`; `NowhereTests`: PR1: e, f; g |
            """
        #expect(
            DocumentRules.namedSuites(in: text) == [
                "NowhereTests", "DocumentTests", "TidyTests", "DocumentTests", "NowhereTests",
            ])
        #expect(
            DocumentRules.namedTests(in: text).map { "\($0.suite)/\($0.test)" } == [
                "DocumentTests/a b; c `d`", "NowhereTests/PR1: e, f; g",
            ])
        #expect(Self.files(ofSuite: "NowhereTests").isEmpty)
        #expect(Self.has("DocumentTests", "suites named in documents exist"))
        #expect(!Self.has("ImportTests", "suites named in documents exist"))
    }

    @Test(
        "the documents of the front door are short",
        arguments: [("README.md", 80), ("CONTRIBUTING.md", 60), ("ARCHITECTURE.md", 130)])
    func frontDoorIsShort(document: String, lineMax: Int) {
        let lines = Repository.text(of: document).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count > 20)
        #expect(lines.count <= lineMax)
    }

    @Test("README has at most 650 words, and all that one reads before a first change 6,000")
    func frontDoorHasFewWords() {
        let first = ["README", "CONTRIBUTING", "ARCHITECTURE", "STYLE", "docs/glossary"]
        let counts = first.map {
            Repository.text(of: "\($0).md").split(whereSeparator: \.isWhitespace).count
        }
        #expect(counts.allSatisfy { $0 > 100 })
        #expect(counts[0] <= 650)
        #expect(counts.reduce(0, +) <= 6_000)
    }

    @Test("no file speaks of drafts that nobody has")
    func noFileSpeaksOfDrafts() {
        let endings = [
            ".swift", ".md", ".json", ".yaml", ".py", ".js", ".html", ".css", ".c", ".h",
        ]
        let findings = Repository.paths(under: "")
            .filter { path in endings.contains(where: path.hasSuffix) }
            .flatMap { path in
                DocumentRules.wordsOfDrafts(in: Repository.text(of: path)).map { "\(path): \($0)" }
            }
        #expect(findings == [])
    }

    @Test("control: words of drafts are found")
    func draftsAreFound() {
        for words in [["an older", "program"], ["since", "schema 9"], ["rules", "2"]] {
            let text = "What " + words.joined(separator: " ") + " has."
            #expect(DocumentRules.wordsOfDrafts(in: text).count == 1)
        }
        #expect(DocumentRules.wordsOfDrafts(in: "These rules: 20 rules 10 times") == [])
    }

    @Test("no file names a folder of one machine")
    func noMachinePaths() {
        let findings = Repository.paths(under: "").flatMap { path in
            DocumentRules.machinePaths(in: Repository.text(of: path)).map { "\(path) has \($0)" }
        }
        #expect(findings == [])
    }

    @Test("control: missing paths, commands and machine paths are found")
    func badDocumentIsFound() {
        let text = """
            See `Sources/Nowhere/None.swift` and [there](missing.md#part), but `Sources/*` is fine.
            ```
            .build/release/rangers frobnicate --loud
            ```
            Say `rangers dance`, or simply rangers alone. [Apple](https://example.com)
            """
        let paths = DocumentRules.namedPaths(in: text, of: "docs/page.md")
        #expect(paths == ["Sources/Nowhere/None.swift", "docs/missing.md"])
        #expect(DocumentRules.namedCommands(of: "rangers", in: text) == ["frobnicate", "dance"])
        #expect(DocumentRules.namedFlags(in: text) == ["loud"])
        #expect(DocumentRules.machinePaths(in: "cd /" + "root/x").count == 1)
    }

    /// The files of tests with this type, or an extension of it.
    private static func files(ofSuite suite: String) -> [SourceFile] { suites[suite] ?? [] }

    /// The files of tests by the types that they declare or extend.
    private static let suites: [String: [SourceFile]] = {
        var suites: [String: [SourceFile]] = [:]
        for file in Repository.tests {
            let pairs = zip(file.code, file.code.dropFirst())
            let types = pairs.filter { $0.0.isCode("struct") || $0.0.isCode("extension") }
            for name in Set(types.map(\.1.text)) { suites[name, default: []].append(file) }
        }
        return suites
    }()

    /// Whether a file of the suite has a test of this name.
    private static func has(_ suite: String, _ test: String) -> Bool {
        files(ofSuite: suite).contains { file in
            file.code.contains { $0.kind == .string && $0.text == "\"\(test)\"" }
        }
    }

    /// String literals of these modules: names of commands and flags are among them.
    private static func words(of modules: Set<String>) -> Set<String> {
        let files = Repository.sources.filter { modules.contains($0.module) }
        return Set(files.flatMap { $0.code.filter { $0.kind == .string }.map(\.text) })
    }
}
