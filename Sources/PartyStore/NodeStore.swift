/// One of the servers that share a database.
package struct ServerNode: Hashable, Sendable {
    package let epoch: Epoch
    package let place: NodePlace
    /// When its lease ends, unless it renews it: milliseconds since 1970 on the database's clock.
    package let until: Int64
    /// Whether that has passed.
    package let isLate: Bool
    /// Whether it gives its shards to the others, and gets none.
    package let isLeaving: Bool

    /// How long a lease lasts after it was renewed, in milliseconds.
    package static let leaseMilliseconds: Int64 = 6000
}

/// The living nodes and their shards at one moment.
package struct NodeTable: Hashable, Sendable {
    /// In the order of their epochs.
    package let nodes: [ServerNode]
    /// The epoch of each shard's owner; 0: nobody has it.
    package let owners: [Int64]
    /// How often each kind of shared knowledge has changed.
    package let news: [SharedNews: Int64]
    /// The epochs of nodes whose consoles look at the others.
    package let watchers: [Int64]

    package init(
        nodes: [ServerNode], owners: [Int64], news: [SharedNews: Int64], watchers: [Int64] = []
    ) {
        self.nodes = nodes
        self.owners = owners
        self.news = news
        self.watchers = watchers
    }
}

/// What every node keeps in memory and any node may change. The transaction that changes it counts
/// that.
package enum SharedNews: Int64, CaseIterable, Sendable {
    /// Replaced names, banned names and blocks.
    case names = 1
    case packs
    case pause
    /// Game masters' keys and sessions.
    case masters
    /// Accounts that are to be erased.
    case erasures
    /// Commands of game masters for many parties or for later.
    case jobs
    /// Events of world bosses that a director has opened or closed.
    case world
    /// Players' bearer tokens that have ended: streams that they have opened are closed.
    case tokens
}

/// A store that several servers share. Each has a lease that it renews, and some of the shards.
///
/// A node without a lease owns nothing, whatever it believes: its writes are refused with
/// `.notTheOwner`. The database's clock decides when a lease ends.
package protocol NodeStore: Store {
    /// Adds a node, which takes shards that nobody has up to its share. An earlier node with the
    /// same address is gone, and so are its shards.
    ///
    /// - Throws: `.unavailable` while another node lives and the proxy cannot reach both.
    func join(_ place: NodePlace) async throws(StoreError) -> Epoch
    /// Renews the node's lease. Returns the database's clock, in milliseconds since 1970.
    ///
    /// - Throws: `.notTheOwner` when the node has been removed.
    func renew(_ epoch: Epoch) async throws(StoreError) -> Int64
    func nodeTable() async throws(StoreError) -> NodeTable
    /// Shortens leases that were renewed before the database's clock was set back: none lasts longer
    /// than one that is renewed now.
    func shortenLeases() async throws(StoreError)
    /// Takes shards that nobody has, up to the node's share, after nodes whose leases have ended
    /// were removed or not. Returns how many it took.
    @discardableResult
    func takeShards(_ epoch: Epoch, late: LateNodes) async throws(StoreError) -> Int
    /// Gives shards of the node to another one; to nobody if that one is gone meanwhile.
    func give(_ shards: [Int], of epoch: Epoch, to other: Epoch) async throws(StoreError)
    /// Lets the other nodes know that this one gives its shards away, and is to get no others.
    func prepareToLeave(_ epoch: Epoch) async throws(StoreError)
    /// Removes the node. Nobody has its shards.
    func leave(_ epoch: Epoch) async throws(StoreError)

    /// Returns parties of these shards with scheduled work, in the order of their keys. Damaged ones
    /// are reported and omitted. Continue with the page's `next` until it is `nil`.
    func awakeParties(
        of shards: [Int], after: PartyKey?, limit: Int
    ) async throws(StoreError) -> AwakePage
    /// Writes the node's newest report for the others, and what it looks at of them; `nil`: nothing.
    func write(
        _ reporting: NodeReporting, watching watch: NodeWatch?, epoch: Epoch
    ) async throws(StoreError)
    /// Returns the reports of other nodes after these numbers, if some are given, and what they look
    /// at.
    func reports(
        after known: [Int64: Int64]?, epoch: Epoch
    ) async throws(StoreError) -> NodeReports
    /// Deletes the rows of outcomes that these nodes have written.
    func forgetOutcomes(ofNodes epochs: [Epoch], epoch: Epoch) async throws(StoreError)
}

/// The treatment of nodes whose leases have ended.
package enum LateNodes: Sendable {
    case stay
    /// Those whose leases had ended when the database's clock showed this, in milliseconds since
    /// 1970.
    case areRemoved(asOf: Int64)
}

extension Store {
    /// The store as several servers share it; `nil`: it serves one.
    package var shared: (any NodeStore)? { self as? any NodeStore }
}
