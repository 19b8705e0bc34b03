internal import GameLogic
internal import Isolation
internal import PartyStore

/// Which heroes' names are hidden from whom: those that moderators and reports have replaced, from
/// everybody; those of a blocked player, from the player who has blocked them.
///
/// All of it is in memory, so that a read or a push asks no store. The store's rows are the truth:
/// after each change the rows that it concerns are read again.
final class HiddenNames: Sendable {
    private struct State {
        var names = NamesInForce()
        /// Reads of the replaced names.
        var nameReads = ReadOrder()
        /// How many reads of blocks have begun; the newest that has set all of them, and those that
        /// have set one player's since. See `ReadOrder`.
        var blockReads = 0
        var allBlocksRead = 0
        var blocksReadOf: [PlayerID: Int] = [:]

        mutating func beginBlockRead() -> Int {
            blockReads += 1
            return blockReads
        }

        /// Sets a player's blocks, unless a later read has.
        mutating func set(_ blocks: [Block], of player: PlayerID, read number: Int) {
            guard number > max(allBlocksRead, blocksReadOf[player, default: 0]) else { return }
            blocksReadOf[player] = number
            names.blocks[player] = blocks.isEmpty ? nil : Set(blocks.map(\.blocked))
        }
    }

    private let state = Locked(State())

    /// Reads what is in force at a start.
    static func loaded(from store: any Store) async throws(StoreError) -> HiddenNames {
        let names = HiddenNames()
        try await names.reloadAll(store)
        return names
    }

    /// Reads everything, because another server may have changed anything.
    func reloadAll(_ store: any Store) async throws(StoreError) {
        let number = state.withLock { $0.beginBlockRead() }
        let blocks = Dictionary(grouping: try await store.blocks(of: nil), by: \.player)
        let heroes = try await store.heroesOfBlockedPlayers()
        state.withLock { state in
            for hero in heroes { state.names.add(hero) }
            for player in Set(blocks.keys).union(state.names.blocks.keys) {
                state.set(blocks[player] ?? [], of: player, read: number)
            }
            state.allBlocksRead = max(state.allBlocksRead, number)
            state.blocksReadOf = state.blocksReadOf.filter { $0.value > number }
        }
        try await reloadReplaced(store)
    }

    /// What one caller sees; without a player, what everybody sees.
    func view(of player: PlayerID?) -> NameView {
        state.withLock { NameView($0.names, of: player) }
    }

    /// What is in force for pushes; `nil`: nothing is hidden from anybody.
    var inForce: NamesInForce? {
        state.withLock { state in
            let names = state.names
            return names.replaced.isEmpty && names.blocks.isEmpty ? nil : names
        }
    }

    // MARK: Changes

    /// Reads a player's blocks again, and the heroes of a player who was just blocked.
    func reloadBlocks(
        of player: PlayerID, with blocked: PlayerID, _ store: any Store
    ) async throws(StoreError) {
        let number = state.withLock { $0.beginBlockRead() }
        let heroes = try await store.heroes(of: blocked)
        let blocks = try await store.blocks(of: player)
        state.withLock { state in
            for hero in heroes { state.names.add(hero) }
            state.set(blocks, of: player, read: number)
        }
    }

    /// Reads the replaced names again.
    func reloadReplaced(_ store: any Store) async throws(StoreError) {
        let number = state.withLock { $0.nameReads.begin() }
        let rows = try await store.replacedNames()
        let replaced = Dictionary(rows.map { ($0.hero, $0.shown) }) { first, _ in first }
        state.withLock { state in
            if state.nameReads.take(number) { state.names.replaced = replaced }
        }
    }

    /// Notes a new hero of a blocked player.
    func note(_ hero: Hero) { state.withLock { $0.names.add(hero) } }
}

/// The names that are hidden, and from whom.
struct NamesInForce: Sendable {
    /// The owner of a hero, and what stands for its name.
    struct BlockedHero: Sendable {
        let owner: PlayerID
        let shown: String
    }

    /// What everybody sees.
    fileprivate(set) var replaced: [HeroID: String] = [:]
    /// Whom each player has blocked.
    fileprivate(set) var blocks: [PlayerID: Set<PlayerID>] = [:]
    /// The heroes of blocked players.
    fileprivate(set) var heroes: [HeroID: BlockedHero] = [:]

    fileprivate mutating func add(_ hero: Hero) {
        heroes[hero.id] = BlockedHero(owner: hero.owner, shown: hero.withoutName)
    }

    /// Whether the name may be hidden from somebody.
    func concern(_ hero: HeroID) -> Bool { replaced[hero] != nil || heroes[hero] != nil }

    /// Whether a name in the party or in these events may be hidden from somebody.
    func concern(_ party: Party, _ events: some Sequence<PartyEvent>) -> Bool {
        party.members.contains { concern($0.hero.id) }
            || party.inn.contains { concern($0.id) }
            || events.contains { event in event.kind.hero.map { concern($0.id) } ?? false }
    }
}

/// The names of heroes as one player sees them.
struct NameView: Sendable {
    private let replaced: [HeroID: String]
    private let blocked: Set<PlayerID>
    private let heroes: [HeroID: NamesInForce.BlockedHero]

    /// Every hero's own name.
    static let own = NameView(NamesInForce(), of: nil)

    init(_ names: NamesInForce, of player: PlayerID?) {
        replaced = names.replaced
        blocked = player.flatMap { names.blocks[$0] } ?? []
        heroes = blocked.isEmpty ? [:] : names.heroes
    }

    /// Whether everybody without blocks sees the same.
    var isEverybodys: Bool { blocked.isEmpty }

    var hidesNothing: Bool { replaced.isEmpty && blocked.isEmpty }

    /// What stands for the hero's name; `nil`: the name itself.
    func replacement(of hero: HeroID) -> String? {
        if let shown = replaced[hero] { return shown }
        guard !blocked.isEmpty, let known = heroes[hero], blocked.contains(known.owner) else {
            return nil
        }
        return known.shown
    }

    func hero(_ hero: Hero) -> Hero {
        guard !hidesNothing, let shown = replacement(of: hero.id) else { return hero }
        return hero.named(shown)
    }

    func tag(_ tag: HeroTag) -> HeroTag {
        replacement(of: tag.id).map { HeroTag(id: tag.id, name: $0) } ?? tag
    }

    func kind(_ kind: PartyEvent.Kind) -> PartyEvent.Kind {
        hidesNothing ? kind : kind.mapHeroes(tag)
    }
}
