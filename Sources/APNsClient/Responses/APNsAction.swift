/// The action to take after a refusal.
public enum APNsAction: Hashable, Sendable, CaseIterable {
    /// The token is invalid: never push to it again.
    case dropToken
    /// Our bug: keep the push for inspection, raise an alarm, never send it again.
    case deadLetter
    /// Our topic, key or certificate is wrong, so every push would fail alike. Raise an alarm; an
    /// operator must correct it.
    case fixSettings
    /// The retry with a renewed provider token failed too.
    case renewProviderToken
    /// The provider key belongs to the other environment, so none of its tokens works. Another key
    /// was tried if there is one; an operator must correct it.
    case changeProviderKey
    /// The connection is bound to another key: a fresh one may work.
    case newConnection
    /// This device receives too many pushes: pause for it.
    case backOffDevice
    /// Sign no new provider token for 20 minutes.
    case stopMinting
    /// The host is failing: back off. Repeat the same content after 15 minutes; send newer content
    /// when the client allows it.
    case backOffHost
    /// Apple could not process this push. Repeat the same content after 15 minutes; send newer
    /// content at once.
    case retryLater

    /// The wait before the same content may be sent again; `nil`: never.
    ///
    /// Apple gives one figure only: 15 minutes after a 5xx. The others are our choice: one minute
    /// for what may recover by then (a device's unpublished limit, a provider token that may not be
    /// signed yet), five minutes for what an operator must correct.
    public var suggestedDelayMilliseconds: Int64? {
        switch self {
        case .dropToken, .deadLetter: nil
        case .backOffDevice, .newConnection, .renewProviderToken, .stopMinting: 60_000
        case .fixSettings, .changeProviderKey: 5 * 60_000
        case .backOffHost, .retryLater: 15 * 60_000
        }
    }

    /// Whether to alert an operator, because the condition does not recover by itself.
    public var isAlarming: Bool {
        switch self {
        case .deadLetter, .fixSettings, .renewProviderToken, .changeProviderKey: true
        case .dropToken, .newConnection, .backOffDevice, .stopMinting, .backOffHost, .retryLater:
            false
        }
    }
}
