/// The heroes of a board in their order: equal sums share a rank (1, 2, 2, 4).
package struct Ranking: Sendable {
    /// The ranks that a board shows to everybody.
    package static let topMax = 100
    /// How many heroes a board shows above and below the viewer's own.
    package static let neighbours = 2

    /// A hero's sum, and when it reached it.
    package struct Standing: Hashable, Sendable {
        package let hero: HeroID
        package let points: Int
        /// In milliseconds since 1970.
        package let reachedAt: Int64

        package init(_ hero: HeroID, points: Int, reachedAt: Int64) {
            self.hero = hero
            self.points = points
            self.reachedAt = reachedAt
        }
    }

    /// A line of a board.
    package struct Line: Hashable, Sendable {
        package let rank: Int
        package let standing: Standing
    }

    package let lines: [Line]

    /// Ranks heroes who have points. Of equal sums, the one reached first comes first, then the
    /// smaller id.
    package init(_ standings: [Standing]) {
        let sorted = standings.filter { $0.points > 0 }.sorted {
            ($1.points, $0.reachedAt, $0.hero) < ($0.points, $1.reachedAt, $1.hero)
        }
        var lines: [Line] = []
        lines.reserveCapacity(sorted.count)
        for standing in sorted {
            let before = lines.last
            let isTied = before?.standing.points == standing.points
            let rank = isTied ? before?.rank : nil
            lines.append(Line(rank: rank ?? lines.count + 1, standing: standing))
        }
        self.lines = lines
    }

    /// The first `topMax` lines, even when a tie continues below them.
    package var top: ArraySlice<Line> { lines.prefix(Self.topMax) }

    /// The line of a hero with those above and below it; empty for a hero without points.
    package func around(_ hero: HeroID) -> ArraySlice<Line> {
        guard let place = lines.firstIndex(where: { $0.standing.hero == hero }) else { return [] }
        let first = max(0, place - Self.neighbours)
        return lines[first..<min(lines.count, place + Self.neighbours + 1)]
    }
}
