package import PartyStore

/// The outside world, passed whole: what the server reads, and whom it tells.
package struct Dependencies: Sendable {
    package let store: any Store
    package let clock: ServerClock
    /// The seed of the next adventure.
    package let adventureSeed: @Sendable () -> UInt64
    package let sender: any PushSender
    /// `nil`: this server has no channels.
    package let channels: (any ChannelDesk)?
    package let log: Log
    package let metrics: Metrics

    package init(
        store: any Store, clock: ServerClock, adventureSeed: @escaping @Sendable () -> UInt64,
        sender: any PushSender, channels: (any ChannelDesk)? = nil, log: Log, metrics: Metrics
    ) {
        self.store = store
        self.clock = clock
        self.adventureSeed = adventureSeed
        self.sender = sender
        self.channels = channels
        self.log = log
        self.metrics = metrics
    }
}
