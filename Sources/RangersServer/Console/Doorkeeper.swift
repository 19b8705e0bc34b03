internal import HTTPServer
internal import PartyStore
internal import Secrets

/// Identifies game masters, by their keys or by the cookies of their sessions.
struct Doorkeeper: Sendable {
    /// The name of the owner whose key is in the server's key file.
    static let ownerName = "owner"

    let adminKey: Secret
    let store: any Store
    let sessions: Sessions
    let cookie: SessionCookie
    let browsers: BrowserCheck

    init(_ settings: Server.Settings, _ store: any Store, _ sessions: Sessions) {
        adminKey = settings.adminKey
        self.store = store
        self.sessions = sessions
        cookie = SessionCookie(settings.publicURL)
        browsers = BrowserCheck(publicURL: settings.publicURL)
    }

    /// Returns who calls. Wrong keys count against their address; cookies need no such limit, because
    /// nobody guesses one.
    func admission(of request: Request, _ limits: RequestLimits) async throws -> Admission {
        guard let secret = try cookie.secret(in: request) else {
            // Before it is looked up, so that a revocation meanwhile counts.
            let revocations = sessions.revocations
            let key = try await guarding(request, limits) {
                try await self.key(Authentication.bearer(request))
            }
            return Admission(credential: .key(key, revocations: revocations))
        }
        guard request.headers["authorization"] == nil else {
            throw Problem.badRequest(
                "The request has both a key and the cookie of a session: send one of them.")
        }
        try browsers.requireOwnPage(request)
        guard let session = try await sessions.session(orStoredOf: secret) else {
            throw Problem(
                status: 401, title: "Unauthorized",
                detail: "Your session has ended: sign in again.")
        }
        return Admission(credential: .session(session))
    }

    /// Looks a key up, unless its address has tried too many wrong ones.
    func guarding<Key>(
        _ request: Request, _ limits: RequestLimits, _ find: () async throws -> Key
    ) async throws -> Key {
        // Before the key is looked up, so that guesses that arrive together count.
        try limits.spend(.adminGuesses, .address(request.client))
        let key = try await find()
        limits.giveBack(.adminGuesses, .address(request.client))
        return key
    }

    /// Returns whose key it is. Every call reads the keys, so that a revoked one ends at once.
    func key(_ key: Secret) async throws -> KnownKey {
        guard !key.equals(adminKey) else {
            return KnownKey(holder: GameMaster(name: Self.ownerName, role: .owner), record: nil)
        }
        let hash = Digest.sha256(key.revealed.utf8)
        guard let known = try await store.adminKeys().first(where: { $0.hash == hash }) else {
            throw Problem.unauthorized
        }
        return KnownKey(holder: known.holder, record: known)
    }
}
