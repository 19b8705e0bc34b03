package import GameLogic
package import PushPolicy

/// A player whom another one does not want to meet.
package struct Block: Hashable, Sendable {
    /// The most blocks of one player.
    package static let countMax = 100

    package let player: PlayerID
    package let blocked: PlayerID
    package let at: WallTime

    package init(player: PlayerID, blocked: PlayerID, at: WallTime) {
        self.player = player
        self.blocked = blocked
        self.at = at
    }
}

/// The result of writing a block.
package enum BlockPut: Int64, Hashable, Sendable {
    case written = 1
    /// The player has too many blocks.
    case noRoom = 2
    /// There is no such player to block.
    case unknownPlayer = 3
}

/// A report of a hero's name by a player.
package struct NameReport: Hashable, Sendable {
    /// How many players must report a name within `windowSeconds` to hide it.
    package static let reportersToHide = 3
    package static let windowSeconds: Int64 = 7 * 24 * 3600
    /// The most reports of one player that are kept.
    package static let countMax = 100
    /// How long a report is kept, in days.
    package static let keptDays: Int64 = 30

    package let hero: HeroID
    package let reporter: PlayerID
    package let at: WallTime

    package init(hero: HeroID, reporter: PlayerID, at: WallTime) {
        self.hero = hero
        self.reporter = reporter
        self.at = at
    }
}

/// The result of a report.
package enum ReportPut: Int64, Hashable, Sendable {
    case written = 1
    /// The report has hidden the name.
    case hidden = 2
    /// The player has reported too many heroes lately.
    case noRoom = 3
}

/// A name shown in place of a hero's own.
package struct ReplacedName: Hashable, Sendable {
    package enum Reason: Int64, Hashable, Sendable, CaseIterable {
        /// Players have reported it, and a moderator has yet to decide.
        case reported = 1
        /// A moderator has hidden it.
        case hidden = 2
        /// A moderator has given the hero another one.
        case renamed = 3
    }

    package let hero: HeroID
    /// What everybody sees instead.
    package let shown: String
    package let reason: Reason

    package init(hero: HeroID, shown: String, reason: Reason) {
        self.hero = hero
        self.shown = shown
        self.reason = reason
    }
}

/// A hero with reports that no moderator has decided on, or with a replaced name.
package struct ReportedHero: Hashable, Sendable {
    package let hero: Hero
    /// `nil`: everybody sees the hero's own name.
    package let replaced: ReplacedName?
    /// How many players have reported the name since the last decision.
    package let reporters: Int
    /// When the last of them did.
    package let reportedAt: WallTime?
}

/// A name that no new hero may have, as it is compared.
package struct BannedName: Hashable, Sendable {
    /// The most banned names.
    package static let countMax = 10_000

    package let folded: String
    /// As the moderator wrote it.
    package let name: String
    package let at: WallTime

    package init(folded: String, name: String, at: WallTime) {
        self.folded = folded
        self.name = name
        self.at = at
    }
}

/// How long a party has been left alone, in hours that servers have observed: no clock's time.
package struct UnseenHours: Hashable, Sendable {
    /// Hours in which no member was seen, and no adventure ran.
    package var idle: Int
    /// Hours in which no member was seen.
    package var unseen: Int

    package init(idle: Int = 0, unseen: Int = 0) {
        self.idle = idle
        self.unseen = unseen
    }
}

/// A party with heroes, and for how long it has been left alone.
package struct QuietParty: Hashable, Sendable {
    package let stored: StoredParty
    package let hours: UnseenHours
}

/// A page of parties with heroes.
package struct QuietPage: Hashable, Sendable {
    package let parties: [QuietParty]
    /// The beginning of the next page; `nil`: this is the last one.
    package let next: PartyKey?
}

/// A page of players, of whom none was ever in a party.
package typealias UnusedPage = ListPage<PlayerID, PlayerID>

/// What players and moderators decided about other players, and which parties and accounts are left
/// alone.
package protocol ConductStore: Sendable {
    // MARK: Blocks

    /// Writes a block; again changes nothing.
    func put(_ block: Block, epoch: Epoch) async throws(StoreError) -> BlockPut
    func removeBlock(
        of blocked: PlayerID, by player: PlayerID, epoch: Epoch
    ) async throws(StoreError)
    /// Returns the player's blocks, or everybody's for `nil`, in the order of players.
    func blocks(of player: PlayerID?) async throws(StoreError) -> [Block]
    /// Returns the heroes of all players whom somebody has blocked.
    func heroesOfBlockedPlayers() async throws(StoreError) -> [Hero]

    // MARK: Names

    /// Writes a report, and the request; again changes nothing. The report that completes `reportersToHide` hides
    /// the name behind `shown`.
    func add(
        _ report: NameReport, hidingBehind shown: String, keeping request: KeptRequest?,
        epoch: Epoch
    ) async throws(StoreError) -> ReportPut
    /// Returns the player's reports, in the order of the heroes.
    func reports(by player: PlayerID) async throws(StoreError) -> [NameReport]
    /// Returns reported heroes in the order of their ids.
    func reportedHeroes(
        after: HeroID?, limit: Int
    ) async throws(StoreError) -> [ReportedHero]
    /// Replaces the hero's name, or gives it back for `nil`, settles the reports so far, and writes
    /// the call that does so. After a new name the same players may report it again.
    func settleReports(
        of hero: HeroID, replacing name: ReplacedName?, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError)
    func replacedNames() async throws(StoreError) -> [ReplacedName]
    /// Removes at most `limit` reports older than this time. Returns how many.
    func forgetReports(
        before time: WallTime, limit: Int, epoch: Epoch
    ) async throws(StoreError) -> Int
    /// Writes a name and the call that bans it. Returns whether there was room.
    func ban(
        _ name: BannedName, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool
    func allow(
        foldedName: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError)
    /// In the order of the folded names.
    func bannedNames() async throws(StoreError) -> [BannedName]

    // MARK: Parties left alone

    /// Returns parties with heroes, in the order of their keys. Damaged ones are reported and
    /// omitted.
    func quietParties(after: PartyKey?, limit: Int) async throws(StoreError) -> QuietPage
    /// Writes the hours of these parties; those without any are forgotten.
    func write(_ hours: [PartyKey: UnseenHours], epoch: Epoch) async throws(StoreError)

    // MARK: Unused accounts

    /// Looks at the next `limit` players in the order of their ids. Returns those who registered before
    /// this time, and none of whose heroes was ever in a party.
    func unusedAccounts(
        registeredBefore time: WallTime, after: PlayerID?, limit: Int
    ) async throws(StoreError) -> UnusedPage
    /// Removes the accounts of these players with their heroes, if they are still unused. Returns the
    /// hashes of their tokens, of each at least one.
    func removeUnused(
        _ players: [PlayerID], registeredBefore time: WallTime, epoch: Epoch
    ) async throws(StoreError) -> [PlayerID: [[UInt8]]]
}
