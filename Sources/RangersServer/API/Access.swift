internal import HTTPServer
package import PartyStore

/// Who may call a route: a part of the route's value, so it cannot be forgotten.
package enum Access: Hashable, Sendable {
    /// Anyone, without credentials.
    case anyone
    /// A registered player, by bearer token.
    case player
    /// Anyone, with the key of a game master or a code in the body.
    case signIn
    /// A game master with this role or a higher one, by their key or the cookie of their session.
    case admin(Role)
    /// `rangers doctor`, by a token that it makes of the owner's key.
    case doctor
}

/// A route of this server.
typealias APIRoute = Route<Access, Call>
