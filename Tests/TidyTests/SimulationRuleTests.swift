import Testing

@Suite("What keeps a server the same in a simulation and outside")
struct SimulationRuleTests {
    @Test("random numbers come from RandomSource alone")
    func oneSourceOfRandomNumbers() {
        #expect(Repository.sources.flatMap(SimulationRules.randomFindings) == [])
        #expect(Repository.exists("Sources/Isolation/RandomSource.swift"))
    }

    @Test(
        "control: another source of random numbers is found",
        arguments: [
            "let a = Int.random(in: 1...6)", "let a = b.randomElement()", "b.shuffle()",
            "let a = b.shuffled()", "var a = SystemRandomNumberGenerator()", "let a = UUID()",
            "getentropy(a, 8)", "let a = Double.random(in: f(using: b))",
        ])
    func othersAreFound(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Bad.swift", text: text)
        #expect(SimulationRules.randomFindings(in: file).count == 1)
    }

    @Test(
        "control: what draws from a given source is accepted",
        arguments: [
            "let a = Int.random(in: 1...6, using: &dice)", "b.shuffle(using: &dice)",
            "let a = PushID.random()", "func random(in a: Int) {}", "// getentropy, UUID()",
            "let a = UUID(uuidString: b)",
        ])
    func givenSourcesAreAccepted(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Good.swift", text: text)
        #expect(SimulationRules.randomFindings(in: file) == [])
    }

    @Test("rangers makes no fault on purpose")
    func noSabotage() {
        #expect(Repository.sources.flatMap(SimulationRules.sabotageFindings) == [])
    }

    @Test("control: a fault on purpose is found in rangers, and only there")
    func sabotageIsFound() {
        let text = "let a = Dependencies(sabotage: .errorLine) // sabotage"
        let program = SourceFile(path: "Sources/rangers/Bad.swift", text: text)
        #expect(SimulationRules.sabotageFindings(in: program).count == 1)
        let other = SourceFile(path: "Sources/RangersServer/Good.swift", text: text)
        #expect(SimulationRules.sabotageFindings(in: other) == [])
    }
}
