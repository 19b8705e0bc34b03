/// A push accepted with 200, or accepted before its response was lost.
package struct AcceptedPush: Sendable {
    /// Lower-case hex.
    package let token: String
    /// The `apns-id`, received or generated.
    package let apnsID: String
    package let pushType: String
    package let topic: String
    package let priority: Int
    /// Seconds since 1970; 0: one attempt; `nil`: APNs decides.
    package let expiration: Int64?
    package let collapseID: String?
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let payload: [UInt8]
    package let aps: PushedAps
    /// Whether this `apns-id` was accepted before.
    package let repetition: Repetition
    /// Sentences about what a device would ignore or mistreat.
    package let warnings: [String]

    /// Its delivery; devices are online by default.
    package internal(set) var delivery = Delivery.atOnce

    package enum Delivery: String, Hashable, Sendable {
        case atOnce
        /// Stored for an offline device.
        case stored
        /// Not stored, as `apns-expiration` requested.
        case discarded
        /// Stored, then delivered when its device returned.
        case late
    }

    package enum Repetition: Hashable, Sendable {
        case first, again
    }
}

/// A request with its outcome.
package struct PushRecord: Sendable {
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let connection: Int
    package let facts: PushFacts
    /// The `apns-id`, received or generated.
    package let apnsID: String
    package let outcome: Outcome

    package enum Outcome: Sendable {
        case accepted(AcceptedPush)
        case refused(Refusal)
        /// A valid channel request or broadcast.
        case channel(ChannelResult)
        /// A scripted fault replaced the response; the request may have been performed.
        indirect case fault(Fault.Effect, Outcome?)
    }

    /// The push if APNs accepted it, whatever the sender received.
    package var accepted: AcceptedPush? { outcome.accepted }

    /// The broadcast, likewise.
    package var broadcast: AcceptedBroadcast? { outcome.broadcast }
}

extension PushRecord.Outcome {
    fileprivate var accepted: AcceptedPush? {
        switch self {
        case .accepted(let push): push
        case .fault(_, let outcome): outcome?.accepted
        case .refused, .channel: nil
        }
    }

    fileprivate var broadcast: AcceptedBroadcast? {
        switch self {
        case .channel(.published(let broadcast)): broadcast
        case .fault(_, let outcome): outcome?.broadcast
        case .accepted, .refused, .channel: nil
        }
    }

    /// The outcome without its fault. An unsent refusal has no effect.
    var done: PushRecord.Outcome? {
        switch self {
        case .accepted, .channel: self
        case .refused, .fault: nil
        }
    }
}
