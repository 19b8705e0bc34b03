internal import APNsClient
internal import PushPolicy

extension PushEncoding {
    /// Channels keep the newest message, so that a spectator who comes late sees the newest card.
    static let channelPolicy = ChannelPolicy.mostRecent
    /// How long APNs keeps a broadcast: as long as it can, counted from a timestamp that may lead
    /// the clock a little.
    static let broadcastKeptSeconds = BroadcastStorage.secondsMax - ActivityOutbox.leadMax

    /// The same card as a device would get, for everybody who listens. An order for spectators has
    /// no alert.
    func broadcast(
        for order: PushOrder, on channel: ChannelName, in language: Language
    ) throws(PayloadError) -> BroadcastRequest {
        let card = ContentState(order.card) { words.text($0, in: language) }
        let payload: BroadcastPayload<ContentState> =
            switch order.event {
            case .update:
                .update(
                    at: order.timestamp, state: card, staleDate: order.staleDate?.seconds,
                    relevanceScore: Double(order.relevanceScore))
            case .end(let dismissalDate):
                .end(
                    at: order.timestamp, finalState: card, dismissalDate: dismissalDate.seconds)
            }
        return try BroadcastRequest(
            payload,
            on: BroadcastChannel(
                id: ChannelID(base64: channel.rawValue), policy: Self.channelPolicy),
            bundleID: bundleID, priority: order.priority == .high ? .high : .low,
            storage: .mostRecent(until: order.timestamp + Self.broadcastKeptSeconds),
            id: Self.id(of: order))
    }
}
