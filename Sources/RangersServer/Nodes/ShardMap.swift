internal import GameLogic
internal import Isolation
internal import PartyStore

/// Which shards this server has, and which node has each of the others.
///
/// It may be a moment behind the store, whose fences decide.
package final class ShardMap: Sendable {
    /// Where the requests of a party go.
    enum Place: Hashable, Sendable {
        case here
        case elsewhere(ServerNode)
        /// Nobody that can be reached has it now.
        case nowhere
    }

    /// What a table that was read after the last `remove` can say about those shards.
    enum Gift {
        /// Nothing: another node may have them soon.
        case underWay
        /// Who has them.
        case over
    }

    private struct State {
        /// The shards whose parties may be changed here.
        var here = [Bool](repeating: false, count: PartyShard.count)
        /// Those that are being given away.
        var given: Set<Int> = []
        /// What the store said last.
        var table = NodeTable(nodes: [], owners: [], news: [:])
        /// When this node's lease ends, in milliseconds since the machine's start.
        var validUntil = Int64.min
    }

    /// The members of a game that several servers share; `nil`: this server has all shards.
    private struct Shared {
        let epoch: Epoch
        let sinceBoot: @Sendable () -> Int64
        let state = Locked(State())
    }

    private let shared: Shared?

    private init(_ shared: Shared?) { self.shared = shared }

    /// That of a store for one server.
    package static let whole = ShardMap(nil)

    /// Creates the map of a node that has no shards yet.
    init(of epoch: Epoch, sinceBoot: @escaping @Sendable () -> Int64) {
        shared = Shared(epoch: epoch, sinceBoot: sinceBoot)
    }

    /// Whether other servers may have some of the shards.
    var isShared: Bool { shared != nil }

    /// Whether this server has the party.
    func isHere(_ party: PartyID) -> Bool {
        shared == nil || isHere(shard: PartyShard.number(of: party))
    }

    /// Whether the store has given this server the party, even if the lease has ended meanwhile: it
    /// may be renewed, and the party is not read again then.
    func isOwned(_ party: PartyID) -> Bool {
        guard let shared else { return true }
        return shared.state.withLock { $0.here[PartyShard.number(of: party)] }
    }

    /// Whether the lease of this node has ended.
    var isLate: Bool {
        guard let shared else { return false }
        let now = shared.sinceBoot()
        return shared.state.withLock { now >= $0.validUntil }
    }

    /// Whether this server does what belongs to no party: the owner of shard 0 does.
    var leads: Bool { isHere(shard: 0) }

    /// Whether this node has taken the shard.
    func isTaken(_ shard: Int) -> Bool { shared?.state.withLock { $0.here[shard] } ?? true }

    private func isHere(shard: Int) -> Bool {
        guard let shared else { return true }
        let now = shared.sinceBoot()
        return shared.state.withLock { $0.here[shard] && now < $0.validUntil }
    }

    /// Returns where requests of the party go.
    func place(of party: PartyID) -> Place { place(ofShard: PartyShard.number(of: party)) }

    /// Returns where requests go that belong to no party.
    var leader: Place { place(ofShard: 0) }

    private func place(ofShard shard: Int) -> Place {
        guard let shared else { return .here }
        let now = shared.sinceBoot()
        return shared.state.withLock { state in
            guard now < state.validUntil else { return .nowhere }
            if state.here[shard] { return .here }
            guard state.table.owners.indices.contains(shard) else { return .nowhere }
            let owner = state.table.owners[shard]
            let node = state.table.nodes.first { $0.epoch.number == owner }
            guard let node, node.epoch != shared.epoch, !node.place.address.isEmpty else {
                return .nowhere
            }
            return .elsewhere(node)
        }
    }

    /// The other living nodes.
    var others: [ServerNode] {
        guard let shared else { return [] }
        return shared.state.withLock { $0.table.nodes.filter { $0.epoch != shared.epoch } }
    }

    /// What the store said last; `nil`: this server has all shards.
    var table: NodeTable? { shared?.state.withLock { $0.table } }

    /// This node's epoch; `nil`: this server has all shards.
    var epoch: Epoch? { shared?.epoch }

    // MARK: Changes

    /// Notes that the node's lease lasts until this time, in milliseconds since the machine's start.
    func renewed(until time: Int64) { shared?.state.withLock { $0.validUntil = time } }

    /// Notes who has which shard. Returns the shards that are to be taken and those that are lost,
    /// which are no longer here from now on.
    func note(_ table: NodeTable, _ gift: Gift = .over) -> (new: [Int], lost: Set<Int>) {
        guard let shared else { return ([], []) }
        return shared.state.withLock { state in
            state.table = table
            if gift == .over { state.given = [] }
            var new: [Int] = []
            var lost: Set<Int> = []
            for (shard, owner) in table.owners.enumerated() {
                switch (owner == shared.epoch.number, state.here[shard]) {
                case (true, false) where !state.given.contains(shard): new.append(shard)
                case (false, true): lost.insert(shard)
                default: break
                }
            }
            for shard in lost { state.here[shard] = false }
            return (new, lost)
        }
    }

    /// Lets parties of these shards be changed here, unless others have them by now or soon.
    func add(_ shards: [Int]) {
        shared?.state.withLock { state in
            for shard in shards where !state.given.contains(shard) {
                if state.table.owners[shard] == shared?.epoch.number { state.here[shard] = true }
            }
        }
    }

    /// Lets no party of these shards be changed here: they are given away.
    func remove(_ shards: [Int]) {
        shared?.state.withLock { state in
            state.given.formUnion(shards)
            for shard in shards { state.here[shard] = false }
        }
    }

    /// How many shards are here.
    var count: Int {
        shared?.state.withLock { state in state.here.count { $0 } } ?? PartyShard.count
    }
}
