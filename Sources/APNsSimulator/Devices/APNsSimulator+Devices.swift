internal import Isolation

/// Devices that go and come back.
extension APNsSimulator {
    /// The device with this token, and with those others, is offline from now on: APNs keeps one
    /// notification for it.
    package func takeOffline(
        _ token: String, with others: [String] = []
    ) throws(DeviceShelfError) {
        try side.withLock { side throws(DeviceShelfError) in
            try side.devices.takeOffline([token] + others)
        }
    }

    /// How many devices are offline.
    package var devicesOffline: Int { side.withLock { $0.devices.count } }

    /// The device answers again and gets what was stored for it, which is returned and told to
    /// `onDelivered`, on this thread.
    @discardableResult
    package func bringOnline(_ token: String) -> AcceptedPush? {
        let moment = now()
        let push = side.withLock { $0.devices.bringOnline(token, at: moment) }
        if let push { hooks.onDelivered?(push) }
        return push
    }
}
