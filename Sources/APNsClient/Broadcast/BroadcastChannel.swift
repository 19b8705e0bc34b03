/// A broadcast channel (iOS 18). Every activity subscribed to it receives what is published once.
///
/// A channel outlives its activities, and an app may have 10,000 in each environment. Delete a
/// channel when its event is over.
public struct BroadcastChannel: Hashable, Sendable {
    /// The channel to publish to and to subscribe activities to.
    public let id: ChannelID
    /// What APNs stores for unreachable devices. The policy never changes.
    public let policy: ChannelPolicy

    /// Wraps an existing channel.
    public init(id: ChannelID, policy: ChannelPolicy) {
        self.id = id
        self.policy = policy
    }

    /// The channels that one app may have in one environment. Beyond it APNs returns
    /// `CannotCreateChannelConfig`.
    public static let countMax = 10_000
}

/// A channel's id as created by APNs: random base64 of unspecified length, valid in one
/// environment.
public struct ChannelID: Hashable, Sendable {
    /// The id as sent in headers and in `input-push-channel`.
    public let base64: String

    /// Wraps an id without checking it; see `isWellFormed`.
    public init(base64: String) { self.base64 = base64 }

    /// Whether the id is padded base64. The length limit only rejects nonsense. Foundation would also
    /// accept superfluous padding.
    public var isWellFormed: Bool {
        let bytes = base64.utf8
        guard !bytes.isEmpty, bytes.count <= Self.bytesMax, bytes.count % 4 == 0 else {
            return false
        }
        let digits = bytes.prefix { $0 != UInt8(ascii: "=") }
        let padding = bytes.dropFirst(digits.count)
        return padding.count <= 2 && padding.allSatisfy { $0 == UInt8(ascii: "=") }
            && digits.allSatisfy { byte in
                ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: "/")
            }
    }

    private static let bytesMax = 512
}

extension ChannelID: CustomStringConvertible, Comparable {
    /// The id. It is not secret, because only the app's own activities can subscribe.
    public var description: String { base64 }

    /// Orders ids by their text, so that lists are stable.
    public static func < (left: ChannelID, right: ChannelID) -> Bool {
        left.base64 < right.base64
    }
}

/// `message-storage-policy`: what APNs stores for unreachable devices.
public enum ChannelPolicy: Int, Hashable, Sendable, CaseIterable {
    /// Stores nothing, which allows a higher publishing budget.
    case noStorage = 0
    /// Stores the newest message, for at most 8 hours.
    case mostRecent = 1
}
