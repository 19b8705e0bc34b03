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

    @Test("the README has at most 150 lines")
    func readmeIsShort() {
        #expect(Repository.text(of: "README.md").split(separator: "\n").count <= 150)
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

    /// String literals of these modules: names of commands and flags are among them.
    private static func words(of modules: Set<String>) -> Set<String> {
        let files = Repository.sources.filter { modules.contains($0.module) }
        return Set(files.flatMap { $0.code.filter { $0.kind == .string }.map(\.text) })
    }
}
