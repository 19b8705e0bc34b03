import HTTPServer
import Testing

@testable import RangersServer

@Suite("Turns of networks", .timeLimit(.minutes(1)))
struct NetworkTurnsTests {
    private static func network(_ number: Int) throws -> ClientAddress {
        try #require(ClientAddress("192.0.2.\(number)"))
    }

    @Test("one item of each network is served before the next of any, the oldest first")
    func turns() throws {
        var turns = NetworkTurns<String>()
        for item in ["a1", "a2", "a3"] { turns.append(item, of: try Self.network(1)) }
        turns.append("b1", of: try Self.network(2))
        turns.append("c1", of: try Self.network(3))
        turns.append("c2", of: try Self.network(3))
        var served: [String] = []
        while let item = turns.popNext() { served.append(item) }
        #expect(served == ["a1", "b1", "c1", "a2", "c2", "a3"])
        #expect(turns.isEmpty)
    }

    @Test("PR22: a network that adds more than is served delays another by one item")
    func greed() throws {
        var turns = NetworkTurns<Int>()
        for item in 0..<5000 { turns.append(item, of: try Self.network(1)) }
        for item in 0..<100 {
            turns.append(-1, of: try Self.network(2))
            let served = [turns.popNext(), turns.popNext()]
            #expect(served.contains(-1) && served.contains(item))
            turns.append(5000 + item, of: try Self.network(1))
        }
    }

    @Test("PR22: networks that come again at once do not overtake one that waits")
    func comingAgain() throws {
        var turns = NetworkTurns<Int>()
        for number in 1...3 { turns.append(number, of: try Self.network(number)) }
        var served: [Int] = []
        for _ in 0..<9 {
            let next = turns.popNext()
            let number = try #require(next)
            served.append(number)
            turns.append(number, of: try Self.network(number))
        }
        #expect(served == [1, 2, 3, 1, 2, 3, 1, 2, 3])
    }
}
