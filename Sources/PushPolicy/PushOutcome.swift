/// The outcome of a push, as far as the policy needs it.
package enum PushOutcome: Hashable, Sendable {
    case accepted
    /// Apple reports the token as dead: this activity receives nothing more until it has a new one.
    case tokenIsDead
    /// Refused for good: this content is not sent again; newer content may be.
    case rejected
    /// Unknown whether Apple accepted it: the newest state is due again.
    case unknown
    /// This device (or Apple) requires a pause: nothing, not even newer content, before `until`.
    case pause(until: WallTime)
    /// Apple failed: the same content not before `notBefore`; newer content may go at once.
    case retry(notBefore: WallTime)
}
