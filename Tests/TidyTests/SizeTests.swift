import Testing

@Suite("Files and functions stay short")
struct SizeTests {
    @Test("no file is over 400 lines, no function over 60")
    func nothingIsTooLong() {
        #expect((Repository.sources + Repository.tests).flatMap(SizeRules.findings) == [])
    }

    @Test("at most 40 files continue the type of another, as in Type+Aspect.swift")
    func typesAreWhole() {
        #expect(Repository.sources.count { $0.path.contains("+") } <= 40)
    }

    @Test("files: median at most 100 lines, 95th percentile at most 300")
    func filesAreShortOnTheWhole() {
        let lines = Repository.sources.map(\.lineCount)
        #expect(SizeRules.percentile(50, of: lines) <= 100)
        #expect(SizeRules.percentile(95, of: lines) <= 300)
    }

    @Test("functions: median at most 10 lines, 95th percentile at most 35")
    func functionsAreShortOnTheWhole() {
        let lines = Repository.sources.flatMap(\.bodies).filter { $0.kind == .function }
            .map(\.lineCount)
        #expect(SizeRules.percentile(50, of: lines) <= 10)
        #expect(SizeRules.percentile(95, of: lines) <= 35)
    }

    @Test("between 12 and 22% of the lines are comments")
    func commentsAreFewAndEnough() {
        let share = SizeRules.commentShare(of: Repository.sources)
        #expect((12...22).contains(share))
    }

    @Test("control: a long function and a long file are found")
    func longOnesAreFound() {
        let line = "        work(\"}\") // }\n"
        let body = String(repeating: line, count: 60)
        let text = "struct Bad {\n    func long() {\n\(body)    }\n}\n"
        let function = SourceFile(path: "Sources/GameLogic/Bad.swift", text: text)
        #expect(SizeRules.findings(in: function).count == 1)
        #expect(function.bodies.map(\.lineCount) == [62])

        let lines = String(repeating: "let a = 1\n", count: 401)
        let file = SourceFile(path: "Sources/GameLogic/Long.swift", text: lines)
        #expect(SizeRules.findings(in: file).count == 1)
    }

    @Test("bodies are found where they are, and only there")
    func bodiesAreFound() {
        let file = SourceFile(
            path: "Sources/GameLogic/Sample.swift",
            text: #"""
                protocol Seam {
                    func bare() async throws(Failure) -> Int
                    init(value: Int)
                    var read: Int { get }
                }
                struct Sample {
                    init(_ value: Int = 3) { self.init(value: "\(value)}") }
                    static func < (left: Sample, right: Sample) -> Bool {
                        left.map { $0 }.isEmpty
                    }
                    func withDefault(
                        _ body: () -> Void = { }
                    ) {
                        var count: Int
                        body()
                    }
                    var text: String { #"a "quoted" } brace"# }
                    deinit { /* { */ }
                }
                """#)
        let found = file.bodies.map { "\($0.name) \($0.lineCount)" }
        #expect(
            found == ["read 1", "init 1", "< 3", "withDefault 6", "text 1", "deinit 1"])
    }

    @Test("the share of comments counts lines, not words")
    func commentShareIsOfLines() {
        let text = "/// One\nlet a = 1 // beside\n\nlet b = \"// text\"\nlet c = 2\n// MARK: - x\n"
        let file = SourceFile(path: "Sources/GameLogic/Sample.swift", text: text)
        #expect(SizeRules.commentShare(of: [file]) == 25)
    }

    @Test("percentiles lie between their neighbours")
    func percentilesInterpolate() {
        #expect(SizeRules.percentile(50, of: [4, 1, 3, 2]) == 2.5)
        #expect(SizeRules.percentile(95, of: [7]) == 7)
        #expect(SizeRules.percentile(50, of: []) == 0)
    }
}
