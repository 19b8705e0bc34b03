package import APNsClient

/// Creates and deletes channels, and publishes broadcasts: APNs, or a test's list.
package protocol ChannelService: Sendable {
    func create(_ policy: ChannelPolicy) async -> ChannelOutcome<BroadcastChannel>
    func delete(_ id: ChannelID) async -> ChannelOutcome<ChannelID>
    func list() async -> ChannelOutcome<ChannelList>
    func publish(_ request: BroadcastRequest) async -> APNsClient.Outcome

    /// The counters and the state of each host.
    var counts: [BroadcastChannels.Host: BroadcastChannels.Counts] { get }

    /// Takes no more requests, and finishes those in flight within the time limit.
    func shutdown(graceMilliseconds: Int) async
}

extension BroadcastChannels: ChannelService {}

extension APNsClient.Refusal {
    /// Whether Apple reports that the channel does not exist: it will reach no device again.
    var saysChannelIsGone: Bool { ["BadChannelId", "ChannelNotRegistered"].contains(reason) }
}
