package import PartyStore

/// The outside world, passed whole: what the server reads, and whom it tells.
package struct Environment: Sendable {
    package let store: any Store
    package let clock: ServerClock
    /// The seed of the next adventure.
    package let adventureSeed: @Sendable () -> UInt64
    package let sender: any PushSender
    package let log: Log
    package let metrics: Metrics

    package init(
        store: any Store, clock: ServerClock, adventureSeed: @escaping @Sendable () -> UInt64,
        sender: any PushSender, log: Log, metrics: Metrics
    ) {
        self.store = store
        self.clock = clock
        self.adventureSeed = adventureSeed
        self.sender = sender
        self.log = log
        self.metrics = metrics
    }
}
