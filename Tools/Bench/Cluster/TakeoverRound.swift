internal import PartyStore
internal import Playtest

/// What some nodes' metrics say.
struct TakeoverLook: Hashable, Sendable {
    /// Of each node.
    let shards: [Int]
    let parties: Int
    let lateSeconds: Double

    init(shards: [Int], parties: Int, lateSeconds: Double) {
        (self.shards, self.parties, self.lateSeconds) = (shards, parties, lateSeconds)
    }

    init(_ nodes: [BenchNode]) async throws {
        let metrics = try await withThrowingTaskGroup(of: ServerMetrics.self) { group in
            for node in nodes { group.addTask { try await node.game.creation.metrics() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        self.init(
            shards: metrics.map { Int($0.count("rangers_shards_owned")) },
            parties: Int(metrics.reduce(0) { $0 + $1.count("rangers_parties_in_memory") }),
            lateSeconds: metrics.map { $0.count("rangers_backlog_seconds") }.max() ?? 0)
    }
}

/// When nodes had what others have lost, in seconds since a moment.
struct TakeoverTimes: Hashable, Sendable {
    private static let lateSecondsMax = 1.0

    /// Every shard has an owner, which takes requests for its parties, and no node has more than its
    /// share.
    private(set) var ownedSeconds = 0.0
    /// All parties are in memory too.
    private(set) var loadedSeconds = 0.0
    /// And none is late by more than a second.
    private(set) var keepsUpSeconds = 0.0

    /// Notes how nodes are after so many seconds. Returns whether they have everything. What they
    /// have for a moment only does not count.
    mutating func note(_ look: TakeoverLook, parties: Int, at seconds: Double) -> Bool {
        let share = (PartyShard.count + look.shards.count - 1) / max(1, look.shards.count)
        let isOwned =
            look.shards.reduce(0, +) == PartyShard.count && look.shards.allSatisfy { $0 <= share }
        let isLoaded = isOwned && look.parties >= parties
        ownedSeconds = isOwned ? first(ownedSeconds, seconds) : 0
        loadedSeconds = isLoaded ? first(loadedSeconds, seconds) : 0
        guard isLoaded, look.lateSeconds < Self.lateSecondsMax else { return false }
        keepsUpSeconds = seconds
        return true
    }

    private func first(_ earlier: Double, _ now: Double) -> Double { earlier > 0 ? earlier : now }
}

/// One round of takeovers.
struct TakeoverRound: Hashable, Sendable {
    /// The longest that a shard may be without an owner: its lease, and the looks of others.
    private static let ownerlessSecondsMax = 8.0

    /// All parties.
    let parties: Int
    /// The memory of a node without parties.
    let bytesBefore: Double
    /// Until all nodes are ready.
    var readySeconds = 0.0
    /// Until the first party has changed.
    var firstTickSeconds = 0.0
    /// Until all parties are in memory and none is late.
    var startSeconds = 0.0
    /// The memory of each node.
    var bytes: [Double] = []
    /// The parties of the node that is killed.
    var lostParties = 0
    /// What psql needs to read their rows.
    var readSeconds = 0.0
    var takeover = TakeoverTimes()
    /// From the kill until the first of these parties has changed.
    var firstLostTickSeconds = 0.0
    /// From the moment when the killed node is ready again until it has its share, and none is late.
    var giftSeconds = 0.0

    func add(to findings: inout Findings) {
        findings.add(
            "owned_s", takeover.ownedSeconds,
            "from a node's kill until no shard is without an owner",
            .atMost(Self.ownerlessSecondsMax))
        let loadSeconds = takeover.loadedSeconds - takeover.ownedSeconds
        for (key, seconds, what) in [
            ("load_s", loadSeconds, "from then until all its parties are in memory elsewhere"),
            ("read_s", readSeconds, "that psql needs to read their rows"),
            ("first_tick_s", firstLostTickSeconds, "from the kill until one of them has changed"),
            ("on_time_s", takeover.keepsUpSeconds, "from the kill until none is late by a second"),
            ("gift_s", giftSeconds, "from when it is ready again until it has its share on time"),
            ("start_ready_s", readySeconds, "from the start until all nodes are ready"),
            ("start_first_tick_s", firstTickSeconds, "from the start until a party has changed"),
            ("start_on_time_s", startSeconds, "from the start until all are in memory on time"),
        ] { findings.add(key, seconds, what) }
        findings.add("load_ratio", loadSeconds / readSeconds, "loading ÷ reading")
        findings.add("lost_parties", Double(lostParties), "parties of the killed node")
        let all = bytes.reduce(0, +)
        findings.add("node_mb", all / Double(max(1, bytes.count)) / 1e6, "a node with its parties")
        findings.add("empty_node_mb", bytesBefore / 1e6, "a node without parties")
        findings.add(
            "party_bytes", (all - bytesBefore * Double(bytes.count)) / Double(parties),
            "that a party adds to its node")
    }
}
