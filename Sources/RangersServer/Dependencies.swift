package import PartyStore

/// The outside world, passed whole: everything the server reads from and writes to.
package struct Dependencies: Sendable {
    package let store: any Store
    package let clock: ServerClock
    /// The seed of the next adventure.
    package let adventureSeed: @Sendable () -> UInt64
    package let sender: any PushSender
    /// `nil`: this server has no channels.
    package let channels: (any ChannelService)?
    package let log: Log
    package let metrics: Metrics

    package init(
        store: any Store, clock: ServerClock, adventureSeed: @escaping @Sendable () -> UInt64,
        sender: any PushSender, channels: (any ChannelService)? = nil, log: Log, metrics: Metrics
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
