import Testing

@Suite("The list of deliberate faults keeps up with the code")
struct MutationListTests {
    @Test("each fault has an id of its own and stands exactly once in its file")
    func listIsCurrent() {
        let list = MutationList(Repository.text(of: MutationList.path))
        #expect(list.findings(Repository.text(of:)) == [])
    }

    @Test("control: a short list, a namesake, and snippets that are gone or stand twice are found")
    func badListIsFound() {
        let list = MutationList(
            """
            # fault: none
            fault: gone
            in: GameLogic/Party.swift
            old: a < b
            fault: twice
            in: GameLogic/Party.swift
            old: b: c
            new:
            fault: twice
            """)
        #expect(list.ids == ["gone", "twice", "twice"])
        let findings = list.findings { $0 == "Sources/GameLogic/Party.swift" ? "b: c, b: c" : "" }
        #expect(
            findings == [
                "there are 3 faults, fewer than 80", "twice is the id of 2 faults",
                "gone: a < b stands 0 times in Sources/GameLogic/Party.swift",
                "twice: b: c stands 2 times in Sources/GameLogic/Party.swift",
            ])
    }

    @Test("control: a fault without a place is found")
    func placelessIsFound() {
        let list = MutationList("fault: lost\nsays: Nothing happens.")
        #expect(list.findings { _ in "" }.last == "lost has no place")
    }
}
