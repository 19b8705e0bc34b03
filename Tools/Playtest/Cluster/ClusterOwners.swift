/// Who owns the shards, as the database has it.
struct ClusterOwners: Hashable, Sendable {
    struct Owner: Hashable, Sendable {
        let name: String
        let shards: Int
        let parties: Int
        /// Whether the node's row is there and has not expired.
        let isAlive: Bool
    }

    let owners: [Owner]

    /// A line for each owner. Without a row of its node a shard has no owner.
    static let query = """
        SELECT coalesce(node.name, ''), count(*), coalesce(sum(held.parties), 0),
            coalesce(node.until > extract(epoch FROM clock_timestamp()) * 1000, false)
        FROM shard_lease LEFT JOIN node USING (epoch)
            LEFT JOIN (SELECT shard, count(*) AS parties FROM parties GROUP BY shard) AS held
                USING (shard)
        GROUP BY 1, 4 ORDER BY 1
        """

    /// Reads psql's lines.
    init(_ lines: String) {
        owners = lines.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "|", omittingEmptySubsequences: false)
            guard columns.count == 4, let shards = Int(columns[1]), let parties = Int(columns[2])
            else { return nil }
            return Owner(
                name: String(columns[0]), shards: shards, parties: parties,
                isAlive: columns[3] == "t")
        }
    }

    var shardsWithoutOwner: Int { owners.filter { !$0.isAlive }.reduce(0) { $0 + $1.shards } }

    /// Whether an owner of before has no shard any more.
    func lacksOwner(of before: ClusterOwners) -> Bool {
        !Set(owners.map(\.name)).isSuperset(of: before.owners.map(\.name))
    }

    /// Whether every shard has a living owner, and none belongs to the node of this name.
    func isOwned(byOthersThan name: String) -> Bool {
        !owners.isEmpty && owners.allSatisfy { $0.isAlive && $0.name != name }
    }

    /// Whether so many nodes share the shards evenly.
    func isFair(for nodes: Int) -> Bool {
        let shares = owners.map(\.shards)
        let total = shares.reduce(0, +)
        return shards(ofAlive: nodes) && shares.allSatisfy { $0 <= total / nodes + 1 }
    }

    private func shards(ofAlive nodes: Int) -> Bool {
        owners.count == nodes && owners.allSatisfy(\.isAlive)
    }

    /// A line for the terminal.
    var words: String {
        owners.map { owner in
            owner.isAlive
                ? "\(owner.name) \(owner.shards) shards, \(owner.parties) parties"
                : "nobody \(owner.shards) shards, \(owner.parties) parties"
        }.joined(separator: " │ ")
    }
}
