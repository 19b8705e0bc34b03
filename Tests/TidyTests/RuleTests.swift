import Testing

@Suite("Rules have a home")
struct RuleTests {
    private static let codes = RuleCodes(page: Repository.text(of: RuleCodes.page))

    @Test("every code in Sources and Tests has a row in docs/rules.md")
    func codesInSwift() {
        let tests = Repository.tests.filter { !$0.path.hasSuffix(Self.controls) }
        let files = Repository.sources + tests
        #expect(files.flatMap(Self.codes.findings(in:)) == [])
    }

    @Test("every code in documents and scripts has a row in docs/rules.md")
    func codesInTexts() {
        let programs = Repository.paths(under: "Tests").filter { path in
            [".py", ".c"].contains { path.hasSuffix($0) }
        }
        let scripts = Repository.paths(under: "Scripts") + programs
        let texts = Repository.documents + scripts.map { ($0, Repository.text(of: $0)) }
        #expect(texts.flatMap { Self.codes.findings(inText: $0.text, of: $0.path) } == [])
    }

    @Test("every row names tests that exist, or says that it is not built yet")
    func rowsNameTests() {
        #expect(Self.codes.rowFindings(exists: Repository.exists) == [])
        #expect(Self.codes.rows.count > 150)
    }

    // MARK: Controls

    /// This file, which plants codes that nobody knows.
    private static let controls = "/RuleTests.swift"

    private static let page = """
        | Code | Rule | Source | Test |
        | --- | --- | --- | --- |
        | Q1 | Low comes first | a talk | `Tests/A.swift`, `Tests/B.swift` |
        | Q2 | Low is slow | a talk | not built yet |
        | L, Q, PR | families | of codes |

        | Code | Rule | Test |
        | --- | --- | --- |
        | PR1 | Nothing is lost | in part: `Tests/A.swift` |
        | PR1 | Nothing is lost | nobody knows |
        """

    @Test("control: rows of both kinds of tables are read, and no others")
    func rowsAreRead() {
        let rows = RuleCodes(page: Self.page).rows
        #expect(rows.map(\.code) == ["Q1", "Q2", "PR1", "PR1"])
        #expect(rows[1] == .init(code: "Q2", sentence: "Low is slow", tests: "not built yet"))
    }

    @Test("control: a row that comes twice, names no test or a missing one is found")
    func badRowsAreFound() {
        let findings = RuleCodes(page: Self.page).rowFindings { $0 == "Tests/A.swift" }
        #expect(
            findings == [
                "Q1 names Tests/B.swift, which is not there", "PR1 has two rows",
                "PR1 names no test",
            ])
    }

    @Test(
        "control: a code that nobody knows is found in code",
        arguments: [
            "// (rule Q9)", "/// rules Q1, Q9: so it goes", "/* PR22 */",
            "@Test(\"Q9: a fact\")", "@Test(\"Q1, Q9: a fact\")", "@Test(\"PR1 to PR9: facts\")",
            "let why = \"low priority (Q9)\"", "let why = \"\\(a) is low (Q1, Q9); and so on\"",
        ])
    func unknownCodesAreFound(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Bad.swift", text: text)
        #expect(RuleCodes(page: Self.page).findings(in: file).count == 1)
    }

    @Test(
        "control: known codes and what only looks like one are let through",
        arguments: [
            "// (rules Q1, Q2), promise PR1", "@Test(\"PR1: a fact\")",
            "// ES256, P256, HTTP2, RFC 9110, WAL, Q123, Q09, X9, q9, %Q9, Q9a, UQ9",
            "let Q9 = f(Q8)", "let path = \"/v1/%Q9/Q9\"", "let text = \"Q9 is text\"",
        ])
    func othersAreLetThrough(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Good.swift", text: text)
        #expect(RuleCodes(page: Self.page).findings(in: file) == [])
    }

    @Test("control: a code that nobody knows is found in documents and scripts")
    func unknownCodesAreFoundInTexts() {
        let text = "# promised: PR1, PR2\nLow comes first (Q1, Q7), by ES256."
        let findings = RuleCodes(page: Self.page).findings(inText: text, of: "docs/page.md")
        #expect(
            findings == [
                "docs/page.md names PR2, which has no row in docs/rules.md",
                "docs/page.md names Q7, which has no row in docs/rules.md",
            ])
    }
}
