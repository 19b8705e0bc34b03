package import PartyStore

/// The outside world, passed whole: everything the server reads from and writes to.
package struct Dependencies: Sendable {
    package let store: any Store
    package internal(set) var clock: ServerClock
    /// The seed of the next adventure.
    package let adventureSeed: @Sendable () -> UInt64
    package let sender: any PushSender
    /// Sends to devices of the sandbox; `nil`: this server has one host for all it sends.
    package let sandboxSender: (any PushSender)?
    /// `nil`: this server has no channels.
    package let channels: (any ChannelService)?
    package let log: Log
    package let metrics: Metrics
    /// What the store's check of all rows finds.
    package let damagedParties: DamagedParties
    package let front: Front
    /// A fault on purpose, as a control of those that judge this server.
    package let sabotage: Sabotage?
    let pushWatch = PushWatch()

    /// Where requests come from.
    package enum Front: Sendable {
        case sockets
        /// From `Server.respond` alone: the server opens no port.
        case none
    }

    package init(
        store: any Store, clock: ServerClock, adventureSeed: @escaping @Sendable () -> UInt64,
        sender: any PushSender, sandboxSender: (any PushSender)? = nil,
        channels: (any ChannelService)? = nil, log: Log, metrics: Metrics,
        damagedParties: DamagedParties = DamagedParties(), front: Front = .sockets,
        sabotage: Sabotage? = nil
    ) {
        self.store = store
        self.clock = clock
        self.adventureSeed = adventureSeed
        self.sender = sender
        self.sandboxSender = sandboxSender
        self.channels = channels
        self.log = log
        self.metrics = metrics
        self.damagedParties = damagedParties
        self.front = front
        self.sabotage = sabotage
    }
}

extension Dependencies {
    /// The senders of pushes to devices.
    var senders: PushSenders { PushSenders(main: sender, sandbox: sandboxSender) }
}
