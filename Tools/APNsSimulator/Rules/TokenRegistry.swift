/// The device tokens known to APNs.
package struct TokenRegistry: Sendable {
    package enum Policy: Hashable, Sendable {
        /// Every well-formed token is valid, unless unregistered.
        case any
        /// Only registered tokens are valid.
        case registeredOnly
    }

    /// A token's state.
    private struct Entry: Sendable {
        /// The app's bundle id, without a push type's suffix; `nil`: any.
        var bundleID: String?
        var environment: APNsEnvironment?
        var death: Refusal?
    }

    package let policy: Policy
    private var entries: [String: Entry] = [:]

    package init(policy: Policy) { self.policy = policy }

    /// Registers a token. Case does not matter.
    package mutating func register(
        _ token: String, bundleID: String? = nil, environment: APNsEnvironment? = nil
    ) {
        entries[token.lowercased()] = Entry(bundleID: bundleID, environment: environment)
    }

    /// Unregisters a token: pushes to it get a 410 with this timestamp, in milliseconds since 1970.
    package mutating func unregister(
        _ token: String, at moment: Int64, as reason: RefusalReason = .unregistered
    ) {
        entries[token.lowercased(), default: Entry()].death = Refusal(reason, timestamp: moment)
    }

    func check(
        _ token: String, bundleID: String, environment: APNsEnvironment
    ) throws(Refusal) {
        guard let entry = entries[token] else {
            switch policy {
            case .any: return
            case .registeredOnly: throw Refusal(.badDeviceToken)
            }
        }
        guard entry.environment == nil || entry.environment == environment else {
            throw Refusal(.badDeviceToken)
        }
        guard entry.bundleID == nil || entry.bundleID == bundleID else {
            throw Refusal(.deviceTokenNotForTopic)
        }
        if let death = entry.death { throw death }
    }
}
