import Testing

@Suite("One name for one thing")
struct NameTests {
    @Test("no top-level type name stands twice in the package")
    func namesStandOnce() {
        #expect(NameRules.findings(in: Repository.sources) == [])
    }

    @Test("control: namesakes in two modules are found, whatever their capitals")
    func namesakesAreFound() {
        let files = [
            SourceFile(path: "Sources/GameLogic/Act.swift", text: "struct Act {}"),
            SourceFile(path: "Sources/PushPolicy/Act.swift", text: "enum Act {}\nactor Teller {}"),
            SourceFile(path: "Tools/Bench/Teller.swift", text: "final class TelleR {}"),
        ]
        #expect(NameRules.findings(in: files).count == 4)
    }

    @Test("control: nested types and extensions may share a name")
    func nestedNamesMayRepeat() {
        let files = [
            SourceFile(path: "Sources/GameLogic/A.swift", text: "struct A { enum Kind {} }"),
            SourceFile(path: "Sources/GameLogic/B.swift", text: "struct B { enum Kind {} }"),
            SourceFile(path: "Sources/GameLogic/A+B.swift", text: "extension A {}"),
        ]
        #expect(NameRules.findings(in: files) == [])
    }
}
