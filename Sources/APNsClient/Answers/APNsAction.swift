/// What to do about a refusal.
public enum APNsAction: Hashable, Sendable, CaseIterable {
    /// The token is dead: never push to it again.
    case dropToken
    /// Our bug: keep it for a look, sound the alarm, never send it again.
    case deadLetter
    /// The provider token was renewed and the push was tried again, in vain.
    case renewProviderToken
    /// The connection is bound to another key: a fresh one may do.
    case newConnection
    /// This device gets too much: pause for it.
    case backOffDevice
    /// No new provider token for 20 minutes.
    case stopMinting
    /// Apple's trouble: the same content again after 15 minutes, newer content at once.
    case retryLater

    /// How long to wait before the same content may go again; `nil`: never.
    ///
    /// Apple gives one figure only: 15 minutes after a 5xx. A device that gets too much has an
    /// unpublished limit; a minute is our choice.
    public var suggestedDelayMilliseconds: Int64? {
        switch self {
        case .dropToken, .deadLetter: nil
        case .backOffDevice, .newConnection: 60_000
        case .retryLater: 15 * 60_000
        case .renewProviderToken, .stopMinting: 20 * 60_000
        }
    }
}
