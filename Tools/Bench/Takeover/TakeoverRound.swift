internal import PartyStore

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
    mutating func note(_ look: TakeoverNodes.Look, parties: Int, at seconds: Double) -> Bool {
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

/// One round of the takeover bench.
struct TakeoverRound: Hashable, Sendable {
    /// All parties.
    let parties: Int
    /// Until all nodes are ready.
    var readySeconds = 0.0
    /// Until the first party has changed.
    var firstTickSeconds = 0.0
    /// Until all parties are in memory and none is late.
    var startSeconds = 0.0
    /// The memory of a node without parties.
    var bytesBefore = 0.0
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

    var bytesPerNode: Double { bytes.reduce(0, +) / Double(max(1, bytes.count)) }
    /// What a party adds to its node.
    var bytesPerParty: Double {
        (bytes.reduce(0, +) - bytesBefore * Double(bytes.count)) / Double(parties)
    }
    /// From the moment when their shards have an owner until they are in memory.
    var loadSeconds: Double { takeover.loadedSeconds - takeover.ownedSeconds }
    var loadRatio: Double { loadSeconds / readSeconds }
}

extension TakeoverRound: CustomStringConvertible {
    /// A progress line.
    var description: String {
        let number = FigureText.number
        return "started in \(number(startSeconds)) s; \(lostParties) parties owned again after "
            + "\(number(takeover.ownedSeconds)) s, loaded after "
            + "\(number(takeover.loadedSeconds)) s, on time after "
            + "\(number(takeover.keepsUpSeconds)) s; given back within "
            + "\(number(giftSeconds)) s; \(number(bytesPerParty)) bytes a party"
    }
}
