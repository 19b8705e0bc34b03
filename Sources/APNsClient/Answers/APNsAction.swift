/// What to do about a refusal.
public enum APNsAction: Hashable, Sendable, CaseIterable {
    /// The token is dead: never push to it again.
    case dropToken
    /// Our bug: keep it for a look, sound the alarm, never send it again.
    case deadLetter
    /// Our topic, key or certificate is wrong: whatever we send would fail alike. Sound the alarm;
    /// an operator has to put it right.
    case fixSettings
    /// The provider token was renewed and the push was tried again, in vain.
    case renewProviderToken
    /// The provider key is of the other environment: no token of it will ever do, another key may.
    /// That was tried where there is one; an operator has to put it right.
    case changeProviderKey
    /// The connection is bound to another key: a fresh one may do.
    case newConnection
    /// This device gets too much: pause for it.
    case backOffDevice
    /// No new provider token for 20 minutes.
    case stopMinting
    /// The host is in trouble: leave it in peace. The same content again after 15 minutes, newer
    /// content when the client lets it through.
    case backOffHost
    /// Apple could not process this push: the same content again after 15 minutes, newer content
    /// at once.
    case retryLater

    /// How long to wait before the same content may go again; `nil`: never.
    ///
    /// Apple gives one figure only: 15 minutes after a 5xx. The others are our choice: a minute
    /// for what may be better by then (a device's unpublished limit, a provider token that may
    /// not be signed yet), five minutes for what a person has to put right.
    public var suggestedDelayMilliseconds: Int64? {
        switch self {
        case .dropToken, .deadLetter: nil
        case .backOffDevice, .newConnection, .renewProviderToken, .stopMinting: 60_000
        case .fixSettings, .changeProviderKey: 5 * 60_000
        case .backOffHost, .retryLater: 15 * 60_000
        }
    }

    /// Whether an operator has to be told: nothing gets better by itself.
    public var isAlarming: Bool {
        switch self {
        case .deadLetter, .fixSettings, .renewProviderToken, .changeProviderKey: true
        case .dropToken, .newConnection, .backOffDevice, .stopMinting, .backOffHost, .retryLater:
            false
        }
    }
}
