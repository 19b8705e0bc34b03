internal import GameLogic

/// Compares the sums that boards read with the results that they come from: a flipped bit in either
/// shows.
struct StandingCheck {
    static let table = "standings"
    static let buckets = "standing_buckets"
    static let counts = "standing_counts"

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Compares a hero's sum: season, hero and points of a row.
    func compare(_ row: any SQLRow) throws {
        let (season, hero, points) = (row.integer(0), row.text(1), row.integer(2))
        let sum = try ResultTables(database).sum(of: hero, in: season)
        guard sum == points else {
            throw RowFault(
                table: Self.table, key: "\(hero) of season \(season)",
                detail: "it has \(points) points, but its results add up to \(sum)")
        }
    }

    /// Compares how many heroes a bucket counts: season, bucket and count of a row.
    func compareBucket(_ row: any SQLRow) throws {
        let (bucket, width) = (row.integer(1), ResultTables.bucketPoints)
        try compareCount(row, in: Self.buckets, from: bucket * width, below: (bucket + 1) * width)
    }

    /// Compares how many heroes have a sum: season, points and count of a row.
    func compareSum(_ row: any SQLRow) throws {
        let points = row.integer(1)
        try compareCount(row, in: Self.counts, from: points, below: points + 1)
    }

    private func compareCount(
        _ row: any SQLRow, in table: String, from low: Int64, below high: Int64
    ) throws {
        let (season, number, count) = (row.integer(0), row.integer(1), row.integer(2))
        let heroes = try database.integer(
            "SELECT count(*) FROM standings WHERE season = ?1 AND points >= ?2 AND points < ?3",
            [.integer(season), .integer(low), .integer(high)])
        guard count == heroes else {
            throw RowFault(
                table: table, key: "\(number) of season \(season)",
                detail: "it counts \(count) heroes, but there are \(heroes)")
        }
    }
}
