internal import GameLogic
internal import PushPolicy

/// What a change keeps other transactions from changing until its own ends, besides the rows of its
/// parties, which no other server writes. So what it has read is true when it writes, as with one
/// writer. A file has one writer, and needs none of this.
struct RowLocks: Hashable, Sendable {
    /// The nodes that are not removed meanwhile.
    private(set) var nodes: Set<Epoch> = []
    /// Whether it writes what is no player's: one server at a time does.
    private(set) var takesTurn = false
    private(set) var players: Set<PlayerID> = []
    /// Heroes whose owners are locked too.
    private(set) var heroes: Set<HeroID> = []

    /// What is no player's.
    static let turn = RowLocks(takesTurn: true)
    /// Rows that no other change reads before it writes.
    static let none = RowLocks()

    static func node(_ epoch: Epoch) -> RowLocks { RowLocks(nodes: [epoch]) }

    static func players(_ players: some Sequence<PlayerID>) -> RowLocks {
        RowLocks(players: Set(players))
    }

    /// Of a request that is kept with a change, if it is.
    static func players(of request: KeptRequest?) -> RowLocks {
        .players(request.map { [$0.key.player] } ?? [])
    }

    static func + (one: RowLocks, other: RowLocks) -> RowLocks {
        RowLocks(
            nodes: one.nodes.union(other.nodes),
            takesTurn: one.takesTurn || other.takesTurn,
            players: one.players.union(other.players), heroes: one.heroes.union(other.heroes))
    }
}

// MARK: Of changes

extension RowLocks {
    init(_ further: FurtherRows) {
        takesTurn = further.takesTurn
        players = further.registrants.union(further.joined.map(\.owner))
        players.formUnion(further.welcomes.compactMap(\.leader))
        players.formUnion(further.heroes.map { PlayerID($0.keys[1]) })
        players.formUnion(further.startDevices.map { PlayerID($0.player) })
        players.formUnion(further.phones.map(\.phone.player))
        players.formUnion(further.requests.map { PlayerID($0.keys[0]) })
        heroes = Set(further.left)
    }

    init(_ change: HomeChange, of hero: HeroID) {
        if case .worldReward = change { takesTurn = true }
        heroes = [hero]
    }

    /// The player of a new token or of a recovery code is not known yet. What `useNext` writes, only
    /// changes that take the turn read.
    init(_ change: AccountChange) {
        takesTurn = true
        switch change {
        case .add(let device, by: _): players = [device.key.player]
        case .revoke(let key, by: _), .rotate(let key, to: _),
            .setRecoveryCode(_, by: let key):
            players = [key.player]
        case .signOut(let player, as: _), .beginErasure(let player, at: _),
            .finishErasure(let player):
            players = [player]
        case .useNext, .recover: break
        }
    }
}
