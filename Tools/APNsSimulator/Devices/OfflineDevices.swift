/// Offline devices, with the one notification that APNs stores for each.
///
/// APNs stores one notification per app and device; a newer one replaces it ("Sending notification
/// requests to APNs"). Online devices, which most are, take no space here.
struct OfflineDevices: Sendable {
    /// APNs' storage for an unreachable device.
    private struct Device: Sendable {
        /// All known tokens of the device, in lower case.
        let tokens: [String]
        var stored: AcceptedPush?
        /// Milliseconds since 1970.
        var until: Int64 = 0
    }

    private var devices: [Int: Device] = [:]
    private var deviceOfToken: [String: Int] = [:]
    private var lastNumber = 0
    private(set) var counters = DeliveryCounters()

    private enum Limit {
        /// APNs' default without `apns-expiration`.
        static let storageMilliseconds: Int64 = 30 * 86_400_000
        static let devicesMax = 100_000
    }

    /// Whether no device is offline: the normal case, and all that a push checks then.
    var isEmpty: Bool { devices.isEmpty }

    /// The number of offline devices.
    var count: Int { devices.count }

    /// Takes the device with these tokens offline. A known device keeps its stored notification.
    mutating func takeOffline(_ tokens: [String]) throws(OfflineDevicesError) {
        let known = tokens.contains { deviceOfToken[$0.lowercased()] != nil }
        guard !known, !tokens.isEmpty else { return }
        guard devices.count < Limit.devicesMax else {
            throw OfflineDevicesError.tooMany(limit: Limit.devicesMax)
        }
        lastNumber += 1
        let tokens = tokens.map { $0.lowercased() }
        devices[lastNumber] = Device(tokens: tokens)
        for token in tokens { deviceOfToken[token] = lastNumber }
    }

    /// Brings the device online; returns its stored push, unless expired.
    mutating func bringOnline(_ token: String, at now: Int64) -> AcceptedPush? {
        guard let number = deviceOfToken[token.lowercased()],
            let device = devices.removeValue(forKey: number)
        else { return nil }
        for token in device.tokens { deviceOfToken[token] = nil }
        guard var push = device.stored else { return nil }
        guard device.until > now else {
            counters.expired += 1
            return nil
        }
        counters.deliveredLate += 1
        push.delivery = .late
        return push
    }

    /// Returns the delivery of an accepted push.
    mutating func receive(_ push: AcceptedPush, at now: Int64) -> AcceptedPush.Delivery {
        guard let number = deviceOfToken[push.token] else { return .atOnce }
        let until = push.expiration.map { $0 * 1_000 } ?? now + Limit.storageMilliseconds
        guard until > now else {
            counters.discarded += 1
            return .discarded
        }
        if let old = devices[number], old.stored != nil {
            if old.until > now { counters.replaced += 1 } else { counters.expired += 1 }
        }
        devices[number]?.stored = push
        devices[number]?.until = until
        counters.stored += 1
        return .stored
    }
}

/// Why a device cannot be taken offline.
package enum OfflineDevicesError: Error, Hashable, Sendable {
    case tooMany(limit: Int)
}

extension OfflineDevicesError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooMany(let limit):
            "\(limit) devices are already offline: bring some online first"
        }
    }
}

/// Counts of pushes to offline devices.
package struct DeliveryCounters: Hashable, Sendable {
    /// Stored for an offline device.
    package internal(set) var stored = 0
    /// Stored pushes replaced by a newer one.
    package internal(set) var replaced = 0
    /// Stored pushes that had expired when their device returned, or when a newer one arrived.
    package internal(set) var expired = 0
    /// Not stored, as their expiration requested.
    package internal(set) var discarded = 0
    /// Stored pushes delivered when their device returned.
    package internal(set) var deliveredLate = 0

    package init() {}
}
