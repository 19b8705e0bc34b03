package import APNsClient
package import PartyStore
package import PushPolicy

/// Decides which channels have had their time: pure. It compares what the store knows with what
/// Apple lists, and remembers from sweep to sweep who looked like an orphan, or like lost.
package struct ChannelSweep: Sendable {
    /// How long a channel outlives its end: phones that were in a tunnel still hear it.
    package static let graceMilliseconds: Int64 = 60 * 60 * 1000
    /// A channel whose end could not be published is not kept for ever: no activity lives this
    /// long, and four hours more (rules N1, N2).
    package static let ageMaxMilliseconds =
        (ActivityOutbox.ageMaxSeconds + Rule.Expiration.end) * 1000
    /// Deletions in a row, before the sweeper draws breath: Apple asks for no bursts.
    package static let burstMax = 100
    /// From so many channels on an operator should know: Apple's limit is near.
    package static let warningCount = BroadcastChannel.countMax * 8 / 10

    /// What one sweep has found.
    package struct Plan: Hashable, Sendable {
        /// To be deleted at Apple, and then forgotten.
        package var deletions: [ChannelID] = []
        /// Gone from Apple already, and over: to be forgotten.
        package var forgotten: [ChannelID] = []
        /// On Apple's list, but not in the store, in this sweep and in the one before.
        package var orphans: [ChannelID] = []
        /// In use as far as the store knows, and not on Apple's list, in this sweep and in the
        /// one before: whoever listens hears nothing, and the next broadcast will end the watch.
        package var missing: [ChannelID] = []
        /// Channels in use.
        package var living = 0
        /// Channels that are over and not deleted yet.
        package var over = 0
        /// Apple's list is so long that new channels will soon be refused.
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

    /// Plans one sweep. Ask Apple first and the store then: a channel that is just being made may
    /// be on one of the two only, which is why one sweep makes neither an orphan nor a loss.
    package mutating func plan(
        known: [ChannelRecord], census: ChannelCensus, orphans: ChannelTerms.Orphans,
        now: WallTime
    ) -> Plan {
        var plan = Plan()
        let over = known.filter { isOver($0, at: now) }.map(\.channel)
        let living = Set(known.filter { $0.overSince == nil }.map(\.channel))
        plan.living = living.count
        plan.over = known.count - plan.living
        plan.forgotten = over.filter { !census.listed.contains($0) }
        plan.isNearLimit = census.listed.count >= Self.warningCount
        plan.orphans = Self.again(census.orphans(known: Set(known.map(\.channel))), &strangers)
        plan.missing = Self.again(census.missing(known: living), &lost)
        plan.deletions = over.filter(census.listed.contains)
        switch orphans {
        case .keep: break
        case .delete: plan.deletions += plan.orphans
        }
        return plan
    }

    /// Those that were found in the sweep before too.
    private static func again(_ found: [ChannelID], _ before: inout Set<ChannelID>) -> [ChannelID] {
        defer { before = Set(found) }
        return found.filter(before.contains)
    }

    private func isOver(_ channel: ChannelRecord, at now: WallTime) -> Bool {
        if let since = channel.overSince {
            return since.adding(milliseconds: Self.graceMilliseconds) <= now
        }
        return channel.createdAt.adding(milliseconds: Self.ageMaxMilliseconds) <= now
    }
}

extension ChannelRecord {
    /// As the library names it.
    var channel: ChannelID { ChannelID(base64: id.rawValue) }
}
