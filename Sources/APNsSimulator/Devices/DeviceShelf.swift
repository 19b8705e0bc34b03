/// Devices that are offline, and the one notification that APNs keeps for each.
///
/// APNs stores one notification per app and device; a newer one takes its place
/// ("Sending notification requests to APNs"). Most devices are online and cost nothing here.
struct DeviceShelf: Sendable {
    /// What APNs keeps for a device that does not answer.
    private struct Shelf: Sendable {
        /// All tokens of the device that were named with it, in lower case.
        let tokens: [String]
        var stored: AcceptedPush?
        /// Milliseconds since 1970.
        var until: Int64 = 0
    }

    private var shelves: [Int: Shelf] = [:]
    private var shelfOfToken: [String: Int] = [:]
    private var lastNumber = 0
    private(set) var counters = DeliveryCounters()

    private enum Limit {
        /// What APNs does without `apns-expiration`.
        static let storageMilliseconds: Int64 = 30 * 86_400_000
        static let devicesMax = 100_000
    }

    /// The usual case, and all that a push costs then.
    var isEmpty: Bool { shelves.isEmpty }

    /// How many devices are offline.
    var count: Int { shelves.count }

    /// The device with these tokens is offline from now on. What was stored for one of them
    /// stays, if the device is known already.
    mutating func takeOffline(_ tokens: [String]) throws(DeviceShelfError) {
        let known = tokens.contains { shelfOfToken[$0.lowercased()] != nil }
        guard !known, !tokens.isEmpty else { return }
        guard shelves.count < Limit.devicesMax else {
            throw DeviceShelfError.tooMany(limit: Limit.devicesMax)
        }
        lastNumber += 1
        let tokens = tokens.map { $0.lowercased() }
        shelves[lastNumber] = Shelf(tokens: tokens)
        for token in tokens { shelfOfToken[token] = lastNumber }
    }

    /// The device answers again: gives what was stored for it and is still good.
    mutating func bringOnline(_ token: String, at now: Int64) -> AcceptedPush? {
        guard let number = shelfOfToken[token.lowercased()],
            let shelf = shelves.removeValue(forKey: number)
        else { return nil }
        for token in shelf.tokens { shelfOfToken[token] = nil }
        guard var push = shelf.stored else { return nil }
        guard shelf.until > now else {
            counters.expired += 1
            return nil
        }
        counters.deliveredLate += 1
        push.delivery = .late
        return push
    }

    func isOffline(_ token: String) -> Bool { shelfOfToken[token.lowercased()] != nil }

    /// What becomes of an accepted push.
    mutating func receive(_ push: AcceptedPush, at now: Int64) -> AcceptedPush.Delivery {
        guard let number = shelfOfToken[push.token] else { return .atOnce }
        let until = push.expiration.map { $0 * 1_000 } ?? now + Limit.storageMilliseconds
        guard until > now else {
            counters.discarded += 1
            return .discarded
        }
        if let old = shelves[number], old.stored != nil {
            if old.until > now { counters.replaced += 1 } else { counters.expired += 1 }
        }
        shelves[number]?.stored = push
        shelves[number]?.until = until
        counters.stored += 1
        return .stored
    }
}

/// Why a device cannot be taken offline.
package enum DeviceShelfError: Error, Hashable, Sendable {
    case tooMany(limit: Int)
}

extension DeviceShelfError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooMany(let limit):
            "\(limit) devices are offline already: bring some online first"
        }
    }
}

/// What became of pushes to devices that were offline.
package struct DeliveryCounters: Hashable, Sendable {
    /// Kept for a device that was offline.
    package internal(set) var stored = 0
    /// Stored ones that a newer one took the place of.
    package internal(set) var replaced = 0
    /// Stored ones that were over when their device came back, or when a newer one came.
    package internal(set) var expired = 0
    /// Not stored, as their expiration asked.
    package internal(set) var discarded = 0
    /// Stored ones that their device got when it came back.
    package internal(set) var deliveredLate = 0

    package init() {}
}
