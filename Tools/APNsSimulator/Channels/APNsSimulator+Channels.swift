internal import Isolation

/// Channels for tests and the control interface.
extension APNsSimulator {
    /// The app's channels, ordered by id.
    package var channels: [Channel] { apns.withLock { $0.channels.all } }

    /// Returns what a device gets that subscribes now: the newest message, if stored.
    package func storedBroadcast(of channelID: String) -> AcceptedBroadcast? {
        let moment = now()
        return apns.withLock { $0.channels[channelID]?.message(at: moment) }
    }

    package var broadcastFeature: BroadcastFeature { apns.withLock { $0.channels.feature } }

    /// Switches the capability; off permanently deletes every channel.
    package func setBroadcastFeature(_ feature: BroadcastFeature) {
        apns.withLock { $0.channels.set(feature) }
    }
}
