internal import GameLogic

/// Compares the sums that boards read with the results that they come from: a flipped bit in either
/// shows.
struct StandingCheck {
    static let table = "standings"
    static let buckets = "standing_buckets"

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Compares a hero's sum: season, hero and points of a row.
    func compare(_ row: Statement) throws {
        let (season, hero, points) = (row.integer(0), row.text(1), row.integer(2))
        let sum = try ResultTables(database).sum(of: hero, in: season)
        guard sum == points else {
            throw RowFault(
                table: Self.table, key: "\(hero) of season \(season)",
                detail: "it has \(points) points, but its results add up to \(sum)")
        }
    }

    /// Compares how many heroes a bucket counts: season, bucket and count of a row.
    func compareBucket(_ row: Statement) throws {
        let (season, bucket, count) = (row.integer(0), row.integer(1), row.integer(2))
        let heroes = try database.integer(
            "SELECT count(*) FROM standings WHERE season = ?1 AND points >= ?2 AND points < ?3",
            [
                .integer(season), .integer(bucket * ResultTables.bucketPoints),
                .integer((bucket + 1) * ResultTables.bucketPoints),
            ])
        guard count == heroes else {
            throw RowFault(
                table: Self.buckets, key: "\(bucket) of season \(season)",
                detail: "it counts \(count) heroes, but there are \(heroes)")
        }
    }
}
