package import APNsClient

/// Where channels are made and deleted, and where broadcasts leave the server: APNs, or a test's
/// list.
package protocol ChannelDesk: Sendable {
    func create(_ policy: ChannelPolicy) async -> ChannelOutcome<BroadcastChannel>
    func delete(_ id: ChannelID) async -> ChannelOutcome<ChannelID>
    func census() async -> ChannelOutcome<ChannelCensus>
    func publish(_ request: BroadcastRequest) async -> APNsClient.Outcome

    /// What was counted at each host, and how they do.
    var counts: [BroadcastChannels.Host: BroadcastChannels.Counts] { get }

    /// Takes no more, finishes what is in flight within the bound.
    func shutdown(graceMilliseconds: Int) async
}

extension BroadcastChannels: ChannelDesk {}

extension APNsClient.Refusal {
    /// Whether Apple says that there is no such channel: nobody will hear anything there again.
    var saysChannelIsGone: Bool { ["BadChannelId", "ChannelNotRegistered"].contains(reason) }
}
