internal import Programs

/// The fence, and its absence in a control: the relay before PostgreSQL forges the statements.
enum ClusterFence {
    /// What fences a change of a party, with others and alone, and what takes everything.
    static let forgeries = [
        TCPRelay.Forgery("parties.version = new.version - 1", "parties.version IS NOT NULL      "),
        TCPRelay.Forgery("version = $2 - 1", "version >= 0    "),
        TCPRelay.Forgery("shard_lease.epoch = $6", "shard_lease.epoch >= 0"),
        TCPRelay.Forgery(
            "SELECT epoch FROM node WHERE epoch = $1 FOR KEY SHARE",
            "SELECT $1::bigint AS epoch                           "),
    ]

    /// The last fence: no version twice in the journal of a party.
    static func dropConstraint(in cluster: Cluster) async throws {
        _ = try await cluster.database.query(
            "ALTER TABLE journal DROP CONSTRAINT journal_party_version_key")
    }
}
