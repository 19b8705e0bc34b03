package import APNsClient
package import PartyStore
package import PushPolicy

/// Decides which channels to delete: pure. It compares the store with Apple's list, and remembers
/// from sweep to sweep which channels looked orphaned or missing.
package struct ChannelSweep: Sendable {
    /// How long a channel outlives its end, so that devices without a connection still receive it.
    package static let graceMilliseconds: Int64 = 60 * 60 * 1000
    /// The longest life of a channel whose end could not be published: no activity lives this long,
    /// and four hours more (rules N1, N2).
    package static let ageMaxMilliseconds =
        (ActivityOutbox.ageMaxSeconds + Rule.Expiration.end) * 1000
    /// Deletions in a row before the sweeper pauses: Apple advises against bursts.
    package static let burstMax = 100
    /// The number of channels from which an operator is warned: Apple's limit is near.
    package static let warningCount = BroadcastChannel.countMax * 8 / 10

    /// What to do with channels that Apple lists and that are not in the store.
    package enum Orphans: Hashable, Sendable {
        /// Keep them: another server of the same app may own them.
        case keep
        /// Delete them: the operator confirms that no other server exists.
        case delete
    }

    /// The result of one sweep.
    package struct Plan: Hashable, Sendable {
        /// Channels to delete at Apple and then forget.
        package var deletions: [ChannelID] = []
        /// Channels that are over and already deleted at Apple: to forget.
        package var forgotten: [ChannelID] = []
        /// Channels on Apple's list but not in the store, in this sweep and in the previous one.
        package var orphans: [ChannelID] = []
        /// Channels in use according to the store but not on Apple's list, in this sweep and in the
        /// previous one. Spectators receive nothing, and the next broadcast ends their activities.
        package var missing: [ChannelID] = []
        /// Channels in use.
        package var living = 0
        /// Channels that are over and not deleted yet.
        package var over = 0
        /// Whether Apple's list is so long that it will soon refuse new channels.
        package var isNearLimit = false

        /// The deletions in portions, in their order.
        package var bursts: [ArraySlice<ChannelID>] {
            stride(from: 0, to: deletions.count, by: ChannelSweep.burstMax).map { start in
                deletions[start..<min(start + ChannelSweep.burstMax, deletions.count)]
            }
        }
    }

    private var strangers: Set<ChannelID> = []
    private var lost: Set<ChannelID> = []

    package init() {}

    /// Plans one sweep. Read Apple's list first, then the store: a channel that is just being
    /// created may be in only one of them, so a single sweep decides neither orphans nor missing
    /// channels.
    package mutating func plan(
        known: [TrackedChannel], list: ChannelList, orphans: Orphans,
        now: WallTime
    ) -> Plan {
        var plan = Plan()
        let over = known.filter { isOver($0, at: now) }.map(\.channel)
        let living = Set(known.filter { $0.overSince == nil }.map(\.channel))
        plan.living = living.count
        plan.over = known.count - plan.living
        plan.forgotten = over.filter { !list.listed.contains($0) }
        plan.isNearLimit = list.listed.count >= Self.warningCount
        plan.orphans = Self.again(list.orphans(known: Set(known.map(\.channel))), &strangers)
        plan.missing = Self.again(list.missing(known: living), &lost)
        plan.deletions = over.filter(list.listed.contains)
        switch orphans {
        case .keep: break
        case .delete: plan.deletions += plan.orphans
        }
        return plan
    }

    /// Returns those that the previous sweep found too.
    private static func again(_ found: [ChannelID], _ before: inout Set<ChannelID>) -> [ChannelID] {
        defer { before = Set(found) }
        return found.filter(before.contains)
    }

    private func isOver(_ channel: TrackedChannel, at now: WallTime) -> Bool {
        if let since = channel.overSince {
            return since.adding(milliseconds: Self.graceMilliseconds) <= now
        }
        return channel.createdAt.adding(milliseconds: Self.ageMaxMilliseconds) <= now
    }
}

/// A channel of this server, of a party's spectators or of who follows a world boss.
package struct TrackedChannel: Hashable, Sendable {
    let channel: ChannelID
    let createdAt: WallTime
    let overSince: WallTime?

    package init(_ record: ChannelRecord) {
        channel = ChannelID(base64: record.id.rawValue)
        createdAt = record.createdAt
        overSince = record.overSince
    }

    package init(_ record: WorldChannel) {
        channel = ChannelID(base64: record.id.rawValue)
        createdAt = record.createdAt
        overSince = record.overSince
    }
}
