/// The app's channels in one environment, compared with those its owner expects.
///
/// ```swift
/// let list = ChannelList(listed: ids)
/// for id in list.orphans(known: mine) { … delete it … }
/// ```
public struct ChannelList: Hashable, Sendable {
    /// The channels that APNs lists.
    public let listed: Set<ChannelID>

    /// Creates a comparison from APNs' list. Duplicates count once.
    public init(listed: some Sequence<ChannelID>) { self.listed = Set(listed) }

    /// Returns the listed channels that are not known, sorted. They use up the app's limit.
    public func orphans(known: Set<ChannelID>) -> [ChannelID] {
        listed.subtracting(known).sorted()
    }

    /// Returns the known channels that no longer exist, sorted. Their subscribers receive nothing
    /// more.
    public func missing(known: Set<ChannelID>) -> [ChannelID] {
        known.subtracting(listed).sorted()
    }

    /// The number of channels that can still be created.
    public var room: Int { max(0, BroadcastChannel.countMax - listed.count) }
}
