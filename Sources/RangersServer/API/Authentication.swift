internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// Identifies the caller and checks that the route admits them.
struct Authentication: Sendable {
    let adminKey: Secret
    let players: KnownPlayers

    /// Returns the caller, as far as the route requires.
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

    /// Returns the credentials of `Authorization: Bearer …` (RFC 6750 section 2.1).
    private func bearer(_ request: Request) throws(Problem) -> Secret {
        guard var header = request.headers["authorization"] else { throw Problem.unauthorized }
        let token = header.withUTF8 { header in
            Self.token(in: UnsafeRawBufferPointer(header)).map {
                Secret(String(decoding: $0, as: UTF8.self))
            }
        }
        guard let token else { throw Problem.unauthorized }
        return token
    }

    /// Returns the token in a header's value, if it has one. It copies nothing, because every read
    /// calls it.
    static func token(in header: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let blank = header.firstIndex(of: UInt8(ascii: " ")),
            UnsafeRawBufferPointer(rebasing: header[..<blank]).equals(anyCaseOf: "bearer"),
            blank + 1 < header.count
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: header[(blank + 1)...])
    }
}
