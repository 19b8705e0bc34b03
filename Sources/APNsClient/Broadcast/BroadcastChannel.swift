/// A broadcast channel (iOS 18): who listens to it gets what is published once for all.
///
/// A channel outlives the activities on it, and an app may have 10,000 of them in each
/// environment, so whoever creates one must delete it when its event is over.
public struct BroadcastChannel: Hashable, Sendable {
    /// Where to publish, and what an activity listens to.
    public let id: ChannelID
    /// What APNs keeps for devices that are not there; it never changes.
    public let policy: ChannelPolicy

    /// A channel that was created before.
    public init(id: ChannelID, policy: ChannelPolicy) {
        self.id = id
        self.policy = policy
    }

    /// Channels that one app may have in one environment. Above it APNs answers
    /// `CannotCreateChannelConfig`.
    public static let countMax = 10_000
}

/// A channel's id as APNs made it: base64, of no promised size. It is random, and means nothing in
/// the other environment.
public struct ChannelID: Hashable, Sendable {
    /// The id as headers and `input-push-channel` carry it.
    public let base64: String

    /// Wraps an id; `isWellFormed` judges it.
    public init(base64: String) { self.base64 = base64 }

    /// Whether it is base64 with its padding. The bound only keeps nonsense out.
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
    /// The id: it is no secret, since only the app's own activities can listen.
    public var description: String { base64 }

    /// By their text, for lists that look the same every time.
    public static func < (left: ChannelID, right: ChannelID) -> Bool {
        left.base64 < right.base64
    }
}

/// `message-storage-policy`: what APNs keeps for devices that are not there.
public enum ChannelPolicy: Int, Hashable, Sendable, CaseIterable {
    /// Nothing, which allows a higher publishing budget.
    case noStorage = 0
    /// The newest message, for at most 8 hours.
    case mostRecent = 1
}
