// Nodes and their leases. Each change locks the row of the cluster first, so it sees what the one
// before has done; the end of a lease changes without it.
extension PostgreSQLSession {
    /// How long a renewal may take, and reading the table of nodes: after that another connection has
    /// time for one.
    static let renewalMillisecondsMax: Int64 = 3000
    /// How long PostgreSQL may work on a renewal: its answer then still arrives in time.
    private static let renewalStatementMillisecondsMax: Int64 = 2500

    private static let renewal: StaticString = """
        UPDATE node SET until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ?2
        WHERE epoch = ?1 RETURNING until
        """
    private static let shortening: StaticString = """
        UPDATE node SET until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ?1
        WHERE until > (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ?1
        """
    private static let nodes: StaticString =
        """
        SELECT epoch, name, address, admin_address, public_url, until,
            CASE WHEN until < (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                THEN 1 ELSE 0 END, leaving
        FROM node ORDER BY epoch
        """
    private static let owners: StaticString = "SELECT epoch FROM shard_lease ORDER BY shard"
    private static let news: StaticString = "SELECT kind, number FROM news"
    private static let watchers: StaticString = """
        SELECT node FROM node_watch
        WHERE until > (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        """

    /// Renews a lease. Returns the database's clock; `nil`: the node was removed.
    func renewAlone(_ epoch: Int64) throws(SQLFailure) -> Int64? {
        let renewed = try runAlone(Self.renewal, [epoch, ServerNode.leaseMilliseconds])
        return renewed.rows.first.map { $0.integer(0) - ServerNode.leaseMilliseconds }
    }

    /// Lets no lease end later than one that is renewed now.
    func shortenLeases() throws(SQLFailure) {
        _ = try runAlone(Self.shortening, [ServerNode.leaseMilliseconds])
    }

    /// Runs a statement in a transaction of its own, in one round trip. PostgreSQL gives it up before
    /// we do: else each renewal that waits for a row would keep a connection.
    private func runAlone(
        _ statement: StaticString, _ numbers: [Int64]
    ) throws(SQLFailure) -> PostgreSQLResult {
        let none = PostgreSQLParameters()
        var parameters = PostgreSQLParameters()
        for number in numbers { parameters.append(number) }
        let limit = "SET LOCAL statement_timeout = \(Self.renewalStatementMillisecondsMax)"
        defer { rollBack() }
        let answers = try soon { () throws(SQLFailure) in
            try link.run(pipeline: [
                (Array("BEGIN".utf8CString), none), (Array(limit.utf8CString), none),
                (text(of: statement), parameters), (Array("COMMIT".utf8CString), none),
            ])
        }
        return answers[2]
    }

    /// Renews a lease in the transaction that is open. Returns whether there was one.
    private func renewed(_ epoch: Int64) throws(SQLFailure) -> Bool {
        let parameters: [SQLValue] = [.integer(epoch), .integer(ServerNode.leaseMilliseconds)]
        return try soon { () throws(SQLFailure) in
            try row(Self.renewal, parameters) { _ in } != nil
        }
    }

    /// Waits no longer for an answer than a renewal may take.
    private func soon<Result>(
        _ body: () throws(SQLFailure) -> Result
    ) throws(SQLFailure) -> Result {
        let usual = link.answerMilliseconds
        link.answerMilliseconds = min(usual, Self.renewalMillisecondsMax)
        defer { link.answerMilliseconds = usual }
        return try body()
    }

    /// Reads who lives and who has which shard, in one round trip.
    func nodeTable() throws(SQLFailure) -> NodeTable {
        let none = PostgreSQLParameters()
        let answers = try soon { () throws(SQLFailure) in
            try link.run(
                pipeline: [Self.nodes, Self.owners, Self.news, Self.watchers].map {
                    (text(of: $0), none)
                })
        }
        let news = answers[2].rows.compactMap { row in
            SharedNews(rawValue: row.integer(0)).map { ($0, row.integer(1)) }
        }
        return NodeTable(
            nodes: answers[0].rows.map { row in
                ServerNode(
                    epoch: Epoch(number: row.integer(0)),
                    place: NodePlace(
                        name: row.text(1), address: row.text(2), adminAddress: row.text(3),
                        publicURL: row.text(4)),
                    until: row.integer(5), isLate: row.integer(6) != 0,
                    isLeaving: row.integer(7) != 0)
            },
            owners: answers[1].rows.map { $0.integer(0) },
            news: Dictionary(news) { first, _ in first },
            watchers: answers[3].rows.map { $0.integer(0) })
    }

    /// Takes all shards, and removes every node. Refused when the database is not one that this
    /// program may serve any more.
    func takeOwnership() throws -> Int64 {
        try lockNodes()
        try requireServable()
        let epoch = try removeNodes()
        try insertNode(epoch, NodePlace(name: "", address: ""))
        try run("UPDATE shard_lease SET epoch = ?1", [.integer(epoch)])
        return epoch
    }

    /// Waits until no transaction of a node is under way, and keeps it so.
    func lockNodes() throws(SQLFailure) {
        try lockCluster()
        try run("SELECT epoch FROM node FOR UPDATE")
    }

    /// Removes all nodes, so that none of them writes any more. Returns a new epoch.
    func removeNodes() throws(SQLFailure) -> Int64 {
        let epoch = try nextEpoch()
        try run("DELETE FROM node")
        try forgetOwners()
        return epoch
    }

    /// Adds a node with its share of the shards that nobody has. Refused when the database is not
    /// one that this program may serve any more: a node that was away joins again by this.
    func join(_ place: NodePlace) throws -> Int64 {
        let epoch = try nextEpoch()
        try requireServable()
        try run("DELETE FROM node WHERE address = ?1 AND address <> ''", [.text(place.address)])
        let now = try clock()
        for other in try nodeTable().nodes
        where other.place.address.isEmpty || place.address.isEmpty {
            guard other.until < now else {
                throw StoreError.unavailable(
                    "another server, \(other.place.name), uses this database, and the proxy cannot "
                        + "reach both: give each its own --node-address, or stop that server")
            }
            try run("DELETE FROM node WHERE epoch = ?1", [.integer(other.epoch.number)])
        }
        try forgetOwners()
        try insertNode(epoch, place)
        try takeShards(epoch)
        return epoch
    }

    /// Removes other nodes whose leases had ended at that time, and have ended now: the clock may have
    /// been set meanwhile.
    func removeLateNodes(asOf clock: Int64, by epoch: Int64) throws(SQLFailure) {
        try lockCluster()
        try run(
            """
            DELETE FROM node WHERE epoch <> ?2
            AND until < least(?1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
            """, [.integer(clock), .integer(epoch)])
        try forgetOwners()
    }

    /// Renews the lease at the end of a change of leases: at a slow database that takes longer than
    /// a lease, and others wait for its end before they remove anybody.
    func endChange(of epoch: Int64) throws {
        guard try renewed(epoch) else { throw StoreError.notTheOwner }
    }

    /// Takes shards that nobody has, up to the node's share. Returns how many.
    @discardableResult
    func takeShards(_ epoch: Int64) throws(SQLFailure) -> Int64 {
        try lockCluster()
        let shards = ShardShares(try nodeTable()).toTake(by: epoch)
        try move(shards, to: epoch)
        return Int64(shards.count)
    }

    /// Gives shards of a node to another one.
    func give(_ shards: [Int], of epoch: Int64, to other: Int64) throws(SQLFailure) {
        try lockCluster()
        let owners = try nodeTable().owners
        try move(shards.filter { owners[$0] == epoch }, to: other)
        try forgetOwners()
    }

    func prepareToLeave(_ epoch: Int64) throws(SQLFailure) {
        try lockCluster()
        try run("UPDATE node SET leaving = 1 WHERE epoch = ?1", [.integer(epoch)])
    }

    func leave(_ epoch: Int64) throws(SQLFailure) {
        try lockCluster()
        try run("DELETE FROM node WHERE epoch = ?1", [.integer(epoch)])
        try forgetOwners()
    }

    func announce(_ news: SharedNews) throws(SQLFailure) {
        try run(
            """
            INSERT INTO news (kind, number) VALUES (?1, 1)
            ON CONFLICT (kind) DO UPDATE SET number = news.number + 1
            """, [.integer(news.rawValue)])
    }

    // MARK: Parties of shards

    func awakeParties(
        of shards: [Int], after key: Int64, limit: Int
    ) throws(SQLFailure) -> [PartyRow] {
        var parameters = PostgreSQLParameters()
        parameters.append(array: shards.map(Int64.init))
        parameters.append(key)
        parameters.append(Int64(limit))
        let sql: StaticString = """
            SELECT key, id, invite_code, version, awake, state, crc FROM parties
            WHERE awake = 1 AND shard = ANY (?1::bigint[]) AND key > ?2 ORDER BY key LIMIT ?3
            """
        return try link.run(text(of: sql), parameters).rows.map(PartyRow.init)
    }

    /// In one round trip, so that a start or a takeover does not wait for one a party.
    func activityRows(of parties: [Int64]) throws(SQLFailure) -> [Int64: [DataRow]] {
        guard !parties.isEmpty else { return [:] }
        var parameters = PostgreSQLParameters()
        parameters.append(array: parties)
        let sql: StaticString = """
            SELECT id, party, data, crc FROM activities WHERE party = ANY (?1::bigint[])
            ORDER BY id
            """
        let rows = try link.run(text(of: sql), parameters).rows.map(DataRow.init(activity:))
        return Dictionary(grouping: rows) { $0.numbers[0] }
    }

    // MARK: Parts

    private func clock() throws(SQLFailure) -> Int64 {
        try integer("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    }

    private func lockCluster() throws(SQLFailure) {
        try run("SELECT epoch FROM cluster WHERE id = 1 FOR UPDATE")
    }

    private func nextEpoch() throws(SQLFailure) -> Int64 {
        try integer("UPDATE cluster SET epoch = epoch + 1 WHERE id = 1 RETURNING epoch")
    }

    private func insertNode(_ epoch: Int64, _ place: NodePlace) throws(SQLFailure) {
        try run(
            """
            INSERT INTO node (epoch, name, address, admin_address, public_url, until)
            SELECT ?1, ?2, ?3, ?4, ?5, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ?6
            """,
            [
                .integer(epoch), .text(place.name), .text(place.address),
                .text(place.adminAddress), .text(place.publicURL),
                .integer(ServerNode.leaseMilliseconds),
            ])
    }

    private func move(_ shards: [Int], to epoch: Int64) throws(SQLFailure) {
        guard !shards.isEmpty else { return }
        var parameters = PostgreSQLParameters()
        parameters.append(epoch)
        parameters.append(array: shards.map(Int64.init))
        let sql: StaticString =
            "UPDATE shard_lease SET epoch = ?1 WHERE shard = ANY (?2::bigint[])"
        _ = try link.run(text(of: sql), parameters)
    }

    /// Takes shards from nodes that are gone, and deletes what they have told: what these still try to
    /// write is refused.
    private func forgetOwners() throws(SQLFailure) {
        let told: [StaticString] = [
            "DELETE FROM node_watch WHERE node NOT IN (SELECT epoch FROM node)",
            "DELETE FROM node_report WHERE node NOT IN (SELECT epoch FROM node)",
        ]
        for deletion in told { try run(deletion) }
        try run(
            """
            UPDATE shard_lease SET epoch = 0
            WHERE epoch <> 0
                AND NOT EXISTS (SELECT 1 FROM node WHERE node.epoch = shard_lease.epoch)
            """)
    }
}
