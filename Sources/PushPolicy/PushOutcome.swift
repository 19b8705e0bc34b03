/// What became of a push, as far as the policy cares.
package enum PushOutcome: Hashable, Sendable {
    case accepted
    /// Apple calls the token dead: nothing more goes to this activity until it has a new one.
    case tokenIsDead
    /// Refused for good: this content will not be sent again, newer content may.
    case rejected
    /// Whether Apple took it is not known: the newest state is due again.
    case unknown
    /// This device (or Apple) wants a pause: nothing, not even newer content, before `until`.
    case pause(until: WallTime)
    /// Apple failed: the same content not before `notBefore`; newer content may go at once.
    case retry(notBefore: WallTime)
}
