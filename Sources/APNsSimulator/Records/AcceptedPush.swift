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
        /// A scripted fault took the place of the answer; the push itself may have been accepted.
        case fault(Fault.Effect, AcceptedPush?)
    }

    /// The push, if Apple's side has it, whatever the sender was told.
    package var accepted: AcceptedPush? {
        switch outcome {
        case .accepted(let push): push
        case .fault(_, let push): push
        case .refused: nil
        }
    }
}
