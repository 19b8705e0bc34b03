internal import Isolation

/// Devices that go offline and return.
extension APNsSimulator {
    /// Takes the device with these tokens offline: APNs stores one notification for it.
    package func takeOffline(
        _ token: String, with others: [String] = []
    ) throws(OfflineDevicesError) {
        try apns.withLock { apns throws(OfflineDevicesError) in
            try apns.devices.takeOffline([token] + others)
        }
    }

    /// The number of offline devices.
    package var devicesOffline: Int { apns.withLock { $0.devices.count } }

    /// Brings the device online and delivers its stored push, which it returns and passes to
    /// `onDelivered` on this thread.
    @discardableResult
    package func bringOnline(_ token: String) -> AcceptedPush? {
        let moment = now()
        let push = apns.withLock { $0.devices.bringOnline(token, at: moment) }
        if let push { hooks.onDelivered?(push) }
        return push
    }
}
