internal import Isolation

/// Channels, as tests and the control interface see them.
extension APNsSimulator {
    /// The app's channels, in the order of their ids.
    package var channels: [Channel] { side.withLock { $0.channels.all } }

    /// What a device gets that comes to the channel now: the newest message, if one is kept.
    package func storedBroadcast(of channelID: String) -> AcceptedBroadcast? {
        let moment = now()
        return side.withLock { $0.channels[channelID]?.message(at: moment) }
    }

    package var broadcastFeature: BroadcastFeature { side.withLock { $0.channels.feature } }

    /// Switches the capability; off deletes every channel for good.
    package func setBroadcastFeature(_ feature: BroadcastFeature) {
        side.withLock { $0.channels.set(feature) }
    }
}
