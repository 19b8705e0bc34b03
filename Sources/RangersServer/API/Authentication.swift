internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// Finds out who calls, and whether they may.
struct Authentication: Sendable {
    let adminKey: Secret
    let players: KnownPlayers

    /// The caller, as far as the route wants to know.
    func caller(of request: Request, for access: Access) async throws -> Call.Caller {
        switch access {
        case .anyone:
            return .nobody
        case .player:
            guard let player = try await players.player(with: bearer(request)) else {
                throw Problem.unauthorized
            }
            return .player(player)
        case .gameMaster:
            guard try bearer(request).equals(adminKey) else { throw Problem.unauthorized }
            return .gameMaster
        }
    }

    /// The credentials of `Authorization: Bearer …` (RFC 6750 section 2.1).
    private func bearer(_ request: Request) throws(Problem) -> Secret {
        guard let header = request.headers["authorization"], let token = Self.token(in: header)
        else { throw Problem.unauthorized }
        return token
    }

    /// The token of a header's value, if it is one.
    static func token(in header: String) -> Secret? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return Secret(String(parts[1]))
    }
}
