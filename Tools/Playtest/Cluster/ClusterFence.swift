internal import Programs

/// The fence, and its absence in a control: the relay before PostgreSQL forges the statements.
enum ClusterFence {
    /// What fences a change of a party, with others and alone, and what fences the rest; each with
    /// what takes its place.
    static let replacements = [
        ("parties.version = new.version - 1", "parties.version IS NOT NULL      "),
        ("version = $2 - 1", "version >= 0    "),
        ("shard_lease.epoch = $6", "shard_lease.epoch >= 0"),
        (
            "SELECT epoch FROM node WHERE epoch = $1 FOR KEY SHARE",
            "SELECT $1::bigint AS epoch                           "
        ),
    ]

    static var forgeries: [TCPRelay.Forgery] {
        replacements.map { TCPRelay.Forgery($0.0, $0.1) }
    }

    /// The last fence: no version twice in the journal of a party.
    static func dropConstraint(in cluster: Cluster) async throws {
        _ = try await cluster.database.query(
            "ALTER TABLE journal DROP CONSTRAINT journal_party_version_key")
    }
}
