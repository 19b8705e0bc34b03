@testable import GameLogic
import Testing

/// The season's sum is the largest that the limits allow; every subset is tried in comparison.
struct SeasonSumTests {
    typealias Result = SeasonSum.Result

    @Test("nothing counts nothing")
    func empty() {
        #expect(SeasonSum(of: []).points == 0)
        #expect(SeasonSum(of: [Result(day: 0, pack: "pie", points: 0)]).points == 0)
    }

    @Test("at most four results of a day count")
    func day() {
        let results = (1...6).map { Result(day: 3, pack: "pack-\($0)", points: $0) }
        #expect(SeasonSum(of: results).points == 6 + 5 + 4 + 3)
    }

    @Test("at most six results of a pack count")
    func pack() {
        let results = (1...9).map { Result(day: $0, pack: "pie", points: $0) }
        #expect(SeasonSum(of: results).points == 9 + 8 + 7 + 6 + 5 + 4)
    }

    @Test("at most twenty results count")
    func season() {
        let results = (0..<28).map { Result(day: $0, pack: "pack-\($0)", points: 10 + $0) }
        #expect(SeasonSum(of: results).points == (18...37).reduce(0, +))
    }

    @Test("a result that displaces two others lowers no sum")
    func displacement() {
        // Day 0 and the pack "pie" are full, but for the one best result of both.
        let day = (0..<4).map { Result(day: 0, pack: "pack-\($0)", points: 10) }
        let pack = (1...6).map { Result(day: $0, pack: "pie", points: 10) }
        #expect(SeasonSum(of: day + pack).points == 100)
        let better = Result(day: 0, pack: "pie", points: 11)
        #expect(SeasonSum(of: day + pack + [better]).points == 100)
    }

    @Test("no other choice of results has a larger sum", arguments: 0..<60 as Range<UInt64>)
    func largest(_ seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        let results = (0..<11).map { _ in
            Result(
                day: dice.draw(in: 0...2), pack: dice.draw(in: 0...1) == 0 ? "pie" : "egg",
                points: dice.draw(in: 1...9))
        }
        #expect(SeasonSum(of: results).points == Self.largestOfAll(results))
    }

    @Test("the order of results does not matter, and another one lowers no sum")
    func order() {
        var dice = SeededRandom(seed: 5)
        var results: [Result] = []
        var before = 0
        for _ in 0..<200 {
            results.append(
                Result(
                    day: dice.draw(in: 0...9), pack: "pack-\(dice.draw(in: 0...4))",
                    points: dice.draw(in: 1...900)))
            let sum = SeasonSum(of: results).points
            #expect(sum >= before)
            #expect(sum == SeasonSum(of: results.reversed()).points)
            before = sum
        }
    }

    private static func largestOfAll(_ results: [Result]) -> Int {
        (0..<(1 << results.count)).reduce(0) { largest, choice in
            let chosen = results.indices.filter { choice >> $0 & 1 == 1 }.map { results[$0] }
            return isAllowed(chosen) ? max(largest, chosen.reduce(0) { $0 + $1.points }) : largest
        }
    }

    private static func isAllowed(_ chosen: [Result]) -> Bool {
        let days = [Int: [Result]](grouping: chosen, by: \.day).values.map(\.count)
        let packs = [String: [Result]](grouping: chosen, by: \.pack).values.map(\.count)
        return chosen.count <= SeasonSum.resultsMax && (days.max() ?? 0) <= SeasonSum.dayMax
            && (packs.max() ?? 0) <= SeasonSum.packMax
    }
}
