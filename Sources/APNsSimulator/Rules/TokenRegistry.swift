/// Which device tokens exist, as Apple's side would know.
package struct TokenRegistry: Sendable {
    package enum Policy: Hashable, Sendable {
        /// Every well-formed token is good, unless it was unregistered.
        case any
        /// Only tokens that were registered are good.
        case registeredOnly
    }

    /// What is known of a token.
    private struct Entry: Sendable {
        /// The app's topic, without a push type's suffix; `nil`: whatever comes.
        var bundleID: String?
        var environment: APNsEnvironment?
        var death: Refusal?
    }

    package let policy: Policy
    private var entries: [String: Entry] = [:]

    package init(policy: Policy) { self.policy = policy }

    /// Makes a token good. Case does not matter.
    package mutating func register(
        _ token: String, bundleID: String? = nil, environment: APNsEnvironment? = nil
    ) {
        entries[token.lowercased()] = Entry(bundleID: bundleID, environment: environment)
    }

    /// From now on the token is answered with 410 and this moment, milliseconds since 1970.
    package mutating func unregister(
        _ token: String, at moment: Int64, as reason: RefusalReason = .unregistered
    ) {
        entries[token.lowercased(), default: Entry()].death = Refusal(reason, timestamp: moment)
    }

    /// Every well-formed token is good, and there is nothing to look up.
    var isOpen: Bool { policy == .any && entries.isEmpty }

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
