/// The total of a hero's results in one season: the largest sum of at most 20 results, of
/// which at most 4 are of one day and 6 of one pack.
///
/// The sum is exact, so another result never lowers it. To take the best results one after another
/// would: a result can use up the last place of both its day and its pack, and displace two others.
/// It is computed as a flow of greatest gain, from days to packs; each result is one way.
package struct SeasonSum: Sendable {
    package static let resultsMax = 20
    package static let dayMax = 4
    package static let packMax = 6

    /// One adventure of the hero.
    package struct Result: Hashable, Sendable {
        /// The day of the season.
        package let day: Int
        package let pack: String
        package let points: Int

        package init(day: Int, pack: String, points: Int) {
            self.day = day
            self.pack = pack
            self.points = points
        }
    }

    package private(set) var points = 0

    private var ways: [Way]
    private var days: [Place]
    private var packs: [Place]

    /// A result, between the places of its day and its pack.
    private struct Way {
        let day: Int
        let pack: Int
        let points: Int
        var isTaken = false
    }

    private struct Place {
        var taken = 0
        /// The most that can be gained on the way to this place; `nil`: it cannot be reached.
        var gain: Int?
        /// The way by which it is reached; `nil`: the place of a day that has room.
        var way: Int?
    }

    package init(of results: [Result]) {
        let results = Self.bestOfEachDay(results)
        let dayNumbers = Self.sortedOnce(results.map(\.day))
        let packNames = Self.sortedOnce(results.map(\.pack))
        ways = results.map { result in
            Way(
                day: dayNumbers.firstIndex(of: result.day) ?? 0,
                pack: packNames.firstIndex(of: result.pack) ?? 0, points: result.points)
        }
        days = dayNumbers.map { _ in Place() }
        packs = packNames.map { _ in Place() }
        for _ in 0..<Self.resultsMax {
            measure()
            guard takeBest() else { break }
        }
    }

    /// Returns the results that can count: no more of one day and pack than a day may have.
    private static func bestOfEachDay(_ results: [Result]) -> [Result] {
        let sorted = results.filter { $0.points > 0 }.sorted {
            ($0.day, $0.pack, $1.points) < ($1.day, $1.pack, $0.points)
        }
        return sorted.indices.filter { index in
            guard index >= dayMax else { return true }
            let earlier = sorted[index - dayMax]
            return earlier.day != sorted[index].day || earlier.pack != sorted[index].pack
        }.map { sorted[$0] }
    }

    private static func sortedOnce<Value: Comparable>(_ values: [Value]) -> [Value] {
        values.sorted().reduce(into: []) { once, value in
            if once.last != value { once.append(value) }
        }
    }

    /// Computes for each place what can be gained: a result that is not taken gains its points, and
    /// one that is given up costs them.
    private mutating func measure() {
        for index in days.indices {
            days[index].gain = days[index].taken < Self.dayMax ? 0 : nil
            days[index].way = nil
        }
        for index in packs.indices { packs[index].gain = nil }
        var hasChanged = true
        // No path visits a place twice, so this many rounds are enough.
        for _ in 0...(days.count + packs.count) where hasChanged {
            hasChanged = false
            for index in ways.indices where measure(way: index) { hasChanged = true }
        }
    }

    /// Returns whether the place at the end of the way can now be reached with more gain.
    private mutating func measure(way index: Int) -> Bool {
        let way = ways[index]
        if way.isTaken {
            guard let gain = packs[way.pack].gain.map({ $0 - way.points }),
                days[way.day].gain.map({ gain > $0 }) ?? true
            else { return false }
            (days[way.day].gain, days[way.day].way) = (gain, index)
        } else {
            guard let gain = days[way.day].gain.map({ $0 + way.points }),
                packs[way.pack].gain.map({ gain > $0 }) ?? true
            else { return false }
            (packs[way.pack].gain, packs[way.pack].way) = (gain, index)
        }
        return true
    }

    /// Takes one more result, and exchanges others for it where that gains more.
    private mutating func takeBest() -> Bool {
        let open = packs.indices.filter { packs[$0].taken < Self.packMax }
        let best = open.max { (packs[$0].gain ?? 0) < (packs[$1].gain ?? 0) }
        guard let best, let gain = packs[best].gain, gain > 0 else { return false }
        points += gain
        packs[best].taken += 1
        var next = packs[best].way
        while let taken = next {
            ways[taken].isTaken = true
            let day = ways[taken].day
            guard let givenUp = days[day].way else {
                days[day].taken += 1
                return true
            }
            ways[givenUp].isTaken = false
            next = packs[ways[givenUp].pack].way
        }
        return true
    }
}
