package import GameLogic
package import PushPolicy

/// The players who have left a party or were removed from it: who may still read how its adventure
/// ended, and who may not return yet.
package struct FormerMembers: Hashable, Sendable {
    /// The most players remembered.
    package static let countMax = 32
    /// How long a removed player may not return, in seconds.
    package static let absenceSeconds: Int64 = 24 * 3600

    package struct Entry: Hashable, Sendable {
        package let player: PlayerID
        /// When the leader removed the player; `nil`: never.
        package var kickedAt: WallTime?
        /// Whether the player left after the party's last adventure began.
        package var seesOutcome: Bool

        package init(player: PlayerID, kickedAt: WallTime?, seesOutcome: Bool) {
            self.player = player
            self.kickedAt = kickedAt
            self.seesOutcome = seesOutcome
        }
    }

    /// In the order of leaving, each player once.
    package private(set) var entries: [Entry]

    package init(entries: [Entry] = []) { self.entries = entries }

    /// Whether the player may read the outcome of the party's adventure.
    package func seesOutcome(_ player: PlayerID) -> Bool {
        entries.contains { $0.player == player && $0.seesOutcome }
    }

    /// Whether the leader removed the player less than a day ago. A time that lies more than a day
    /// ahead comes from a wrong clock and excludes nobody.
    package func keepsOut(_ player: PlayerID, at now: WallTime) -> Bool {
        entries.contains { $0.player == player && $0.isKeptOut(at: now) }
    }

    /// Notes that the last hero of a player has left.
    package mutating func noteLeft(_ player: PlayerID) {
        add(Entry(player: player, kickedAt: kickedAt(player), seesOutcome: true))
    }

    /// Notes that the leader has removed a hero of a player.
    package mutating func noteKicked(_ player: PlayerID, at now: WallTime) {
        add(Entry(player: player, kickedAt: now, seesOutcome: true))
    }

    /// Notes that a player has returned.
    package mutating func noteJoined(_ player: PlayerID) {
        entries.removeAll { $0.player == player }
    }

    /// Notes that an adventure begins, which those who left before it may not read.
    package mutating func noteAdventure(at now: WallTime) {
        entries.removeAll { !$0.isKeptOut(at: now) }
        for index in entries.indices { entries[index].seesOutcome = false }
    }

    private func kickedAt(_ player: PlayerID) -> WallTime? {
        entries.first { $0.player == player }?.kickedAt
    }

    /// Adds the newest entry. Beyond the limit, drops the oldest, first of those who may return.
    private mutating func add(_ entry: Entry) {
        entries.removeAll { $0.player == entry.player }
        entries.append(entry)
        guard entries.count > Self.countMax else { return }
        entries.remove(at: entries.firstIndex { $0.kickedAt == nil } ?? 0)
    }
}

extension FormerMembers.Entry {
    fileprivate func isKeptOut(at now: WallTime) -> Bool {
        kickedAt.map { now.isWithin(seconds: FormerMembers.absenceSeconds, of: $0) } ?? false
    }
}

extension WallTime {
    /// Whether the two times are less than this apart. A stored time may be that of a clock that
    /// was wrong, so being before it says nothing.
    func isWithin(seconds: Int64, of other: WallTime) -> Bool {
        let distance = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return !distance.overflow && distance.partialValue.magnitude < seconds.magnitude * 1000
    }
}
