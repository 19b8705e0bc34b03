import Testing

@testable import APNsSimulator

@Suite struct RecentIDsTests {
    @Test("PR4: of many ids the last ones are remembered, and not all of them")
    func recentIDs() {
        var ids = RecentIDs(generationMax: 100)
        let first = (1...1_000).map { ids.insert(UInt128($0)) }
        #expect(first == Array(repeating: true, count: 1_000))
        let again = (901...1_000).map { ids.insert(UInt128($0)) }
        #expect(again == Array(repeating: false, count: 100))
        let forgotten = ids.insert(1)
        #expect(forgotten)
    }
}
