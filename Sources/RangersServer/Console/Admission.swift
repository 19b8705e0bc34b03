internal import PartyStore

/// A key that the server knows, and whose it is.
struct KnownKey: Sendable {
    let holder: GameMaster
    /// `nil`: the owner's, from the key file.
    let record: AdminKeyRecord?
}

/// What let a game master's call in. `Sessions.hasEnded` tells a stream when it no longer would.
struct Admission: Sendable {
    enum Credential: Sendable {
        /// With the number of revocations before it was looked up.
        case key(KnownKey, revocations: Int)
        case session(SessionRecord)
    }

    let credential: Credential

    var holder: GameMaster {
        switch credential {
        case .key(let key, _): key.holder
        case .session(let session): session.holder
        }
    }
}
