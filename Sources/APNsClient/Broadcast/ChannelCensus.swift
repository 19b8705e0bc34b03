/// All channels of an app in one environment, against those that its owner knows.
///
/// ```swift
/// let census = ChannelCensus(listed: ids)
/// for id in census.orphans(known: mine) { … delete it … }
/// ```
public struct ChannelCensus: Hashable, Sendable {
    /// What APNs lists.
    public let listed: Set<ChannelID>

    /// What APNs has listed; an id that comes twice counts once.
    public init(listed: some Sequence<ChannelID>) { self.listed = Set(listed) }

    /// Channels that nobody knows: they were created and forgotten, and take up room. Sorted.
    public func orphans(known: Set<ChannelID>) -> [ChannelID] {
        listed.subtracting(known).sorted()
    }

    /// Channels that are known and gone: whoever listens hears nothing more. Sorted.
    public func missing(known: Set<ChannelID>) -> [ChannelID] {
        known.subtracting(listed).sorted()
    }

    /// How many channels may still be created.
    public var room: Int { max(0, BroadcastChannel.countMax - listed.count) }
}
