internal import HTTPServer

/// Who may call a route: a part of the route's value, so it cannot be forgotten.
package enum Access: Hashable, Sendable {
    /// Anyone, without credentials.
    case anyone
    /// A registered player, by bearer token.
    case player
    /// The holder of the admin key.
    case gameMaster
}

/// A route of this server.
typealias APIRoute = Route<Access, Call>
