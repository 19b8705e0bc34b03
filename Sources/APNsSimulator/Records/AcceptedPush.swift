/// A push that was answered with 200, or that was accepted before its answer got lost.
package struct AcceptedPush: Sendable {
    /// Lower-case hex.
    package let token: String
    /// As it came, or as APNs made it.
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
    /// Whether this `apns-id` had been accepted before.
    package let repetition: Repetition
    /// What a device would ignore or mistreat, in sentences.
    package let warnings: [String]

    /// What became of it: at first, devices are online.
    package internal(set) var delivery = Delivery.atOnce

    package enum Delivery: String, Hashable, Sendable {
        case atOnce
        /// Kept for a device that is offline.
        case stored
        /// Not kept, as `apns-expiration` asked.
        case discarded
        /// It had been stored, and its device came back.
        case late
    }

    package enum Repetition: Hashable, Sendable {
        case first, again
    }
}

/// A request and what became of it.
package struct PushRecord: Sendable {
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let connection: Int
    package let facts: PushFacts
    /// As it came, or as APNs made it.
    package let apnsID: String
    package let outcome: Outcome

    package enum Outcome: Sendable {
        case accepted(AcceptedPush)
        case refused(Refusal)
        /// A request about channels, broadcasts among them, that was in order.
        case channel(ChannelReply)
        /// A scripted fault took the place of the answer; what was asked may have been done.
        indirect case fault(Fault.Effect, Outcome?)
    }

    /// The push, if Apple's side has it, whatever the sender was told.
    package var accepted: AcceptedPush? { outcome.accepted }

    /// The same for a broadcast.
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

    /// What the fault leaves of it: a refusal that nobody heard is nothing.
    var done: PushRecord.Outcome? {
        switch self {
        case .accepted, .channel: self
        case .refused, .fault: nil
        }
    }
}
