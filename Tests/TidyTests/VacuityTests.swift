import Testing

@Suite("Expectations need something to hold for")
struct VacuityTests {
    @Test("every expectation of all elements comes with one that there are elements")
    func allSatisfyHasElements() {
        #expect(Repository.tests.flatMap(VacuityRules.findings) == [])
    }

    @Test(
        "control: an expectation that holds for nothing is found",
        arguments: [
            "#expect(a.allSatisfy { $0 > 1 })",
            "#expect(a.b.suffix(2).allSatisfy(\\.isRight) == true)",
            "#expect(zip(a, c).allSatisfy { $0 < $1 })\n#expect(b.count == 2)",
            "#expect((0..<a).allSatisfy { $0 > 1 })",
            "let b = a.isEmpty\n#expect(a.allSatisfy { $0 > 1 })",
            "#expect(a.allSatisfy { $0 > 1 })\n}\nfunc other() {\n#expect(a.count == 2)",
        ])
    func vacuousOnesAreFound(text: String) {
        #expect(Self.findings(in: text).count == 1)
    }

    @Test(
        "control: one with a count is accepted",
        arguments: [
            "#expect(a.count == 2 && a.allSatisfy { $0 > 1 })",
            "#expect(!a.b.isEmpty)\n#expect(a.b.dropFirst().allSatisfy { $0 > 1 })",
            "#expect(!a.allSatisfy { $0 > 1 })",
            "#expect(zip(a, a.dropFirst()).allSatisfy { $0 < $1 })\n#expect(a == [1, 2])",
            "#expect(a.count == 2)\n#expect(a.allSatisfy { $0.allSatisfy(\\.isHexDigit) })",
            "let a = (1...3).map(b)\n#expect(a.allSatisfy { $0 > 1 })",
            "#expect(a[0] == 2)\n#expect(a[1...].allSatisfy { $0 > 1 })",
            "let b = a.allSatisfy { $0 > 1 }",
        ])
    func othersAreAccepted(text: String) {
        #expect(Self.findings(in: text) == [])
    }

    private static func findings(in text: String) -> [String] {
        let text = "struct Tests {\nfunc one() {\n\(text)\n}\n}\n"
        return VacuityRules.findings(
            in: SourceFile(path: "Tests/GameLogicTests/Sample.swift", text: text))
    }
}
