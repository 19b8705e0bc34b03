/// A node and the reference over PostgreSQL, one after the other.
struct DatabaseRound: Hashable, Sendable {
    let duel: HeartDuel
    /// The store alone, with ticks that were made before.
    let store: HeartSample
    /// The reference after a checkpoint, with one tick a party: the log then has whole pages too.
    let afterCheckpoint: HeartSample

    /// The bytes of whole pages that a party adds to the log once after each checkpoint.
    var pageBytesPerParty: Double? {
        guard let fresh = afterCheckpoint.logBytesPerTick,
            let plain = duel.reference.logBytesPerTick
        else { return nil }
        return max(0, fresh - plain)
    }
}

/// One round of the cluster bench.
struct ClusterRound: Hashable, Sendable {
    let file: HeartSample
    let database: DatabaseRound
    /// All nodes together, by their number: they share the parties and the database, and tick at
    /// the same time.
    let nodes: [Int: HeartSample]

    /// A cost with the most nodes ÷ with one.
    func growth(_ cost: (HeartSample) -> Double?) -> Double? {
        guard let one = nodes[1].flatMap(cost), let most = nodes.keys.max(),
            let many = nodes[most].flatMap(cost)
        else { return nil }
        return many / one
    }

    var ours: HeartSample { database.duel.ours }
    var reference: HeartSample { database.duel.reference }
}

extension ClusterRound: CustomStringConvertible {
    /// A progress line.
    var description: String {
        "\(Int(file.rate)) ticks/s over SQLite, \(Int(ours.rate)) over PostgreSQL "
            + "(\(Int(reference.rate)) in C); CPU \(FigureText.number(ours.cpuMicroseconds)) µs in "
            + "the node and \(FigureText.number(ours.databaseMicroseconds ?? 0)) in the database"
    }
}
