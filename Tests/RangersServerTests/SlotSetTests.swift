import GameLogic
import Testing

@testable import RangersServer

@Suite("sets of numbers that are taken in turn")
struct SlotSetTests {
    private static func set(_ numbers: some Sequence<Int>) -> SlotSet {
        var set = SlotSet()
        for number in numbers { set.insert(number) }
        return set
    }

    private static func taken(_ set: inout SlotSet, _ count: Int = .max) -> [Int] {
        var taken: [Int] = []
        while taken.count < count, let next = set.popNext() { taken.append(next) }
        return taken
    }

    @Test(
        "every number is taken once, in order",
        arguments: [[], [0], [63, 64, 65], [1, 200], Array(0..<130)])
    func order(_ numbers: [Int]) {
        var set = Self.set(numbers + numbers)
        #expect(set.count == numbers.count)
        #expect(Self.taken(&set) == numbers)
        #expect(set.isEmpty)
    }

    @Test("the next turn begins behind the last number, and goes on from the start")
    func turns() {
        var set = Self.set(0..<100)
        #expect(Self.taken(&set, 70) == Array(0..<70))
        for number in 0..<100 { set.insert(number) }
        #expect(Self.taken(&set) == Array(70..<100) + Array(0..<70))
    }

    @Test("a union has the numbers of both")
    func union() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<50 {
            let one = (0..<40).map { _ in Int(random.next() % 300) }
            let other = (0..<40).map { _ in Int(random.next() % 300) }
            var set = Self.set(one)
            set.formUnion(Self.set(other))
            let all = Set(one + other)
            #expect(set.count == all.count)
            #expect((0..<300).filter { set.contains($0) } == all.sorted())
            #expect(Set(Self.taken(&set)) == all)
        }
    }
}
