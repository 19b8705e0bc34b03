internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// Identifies players by their bearer tokens.
struct Authentication: Sendable {
    let players: KnownPlayers

    /// Returns the device that calls, and its player.
    func device(of request: Request) async throws -> DeviceRecord.Key {
        guard let device = try await players.caller(with: Self.bearer(request)) else {
            throw Problem.unauthorized
        }
        return device
    }

    /// Returns the credentials of `Authorization: Bearer …` (RFC 6750 section 2.1).
    static func bearer(_ request: Request) throws(Problem) -> Secret {
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
