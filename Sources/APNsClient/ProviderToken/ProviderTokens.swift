internal import Isolation

/// Signs a team's provider tokens. Apple wants a new one at most every 20 minutes, so all clients
/// of a team should share this object.
///
/// ```swift
/// let tokens = try ProviderTokens([
///     ProviderTokens.Key(
///         id: "ABC123DEFG", teamID: "DEF123GHIJ",
///         pem: PrivateKeyPEM(file: "AuthKey_ABC123DEFG.p8"))
/// ])
/// await tokens.keep(in: storage)
/// let client = try APNsClient(
///     APNsClient.Configuration(host: "api.push.apple.com", identity: .shared(tokens)))
/// ```
public final class ProviderTokens: Sendable {
    /// A key from Apple's developer site, with its ids.
    public struct Key: Hashable, Sendable {
        /// `kid`: ten characters.
        public var id: String
        /// `iss`: the team's ten characters.
        public var teamID: String
        /// The key itself, from Apple's .p8 file.
        public var pem: PrivateKeyPEM

        /// Creates a key from its fields.
        public init(id: String, teamID: String, pem: PrivateKeyPEM) {
            self.id = id
            self.teamID = teamID
            self.pem = pem
        }
    }

    /// A token with its number, which identifies outdated refusals.
    struct Issued: Sendable {
        let token: ProviderToken
        /// The position of its key: a connection serves one key only.
        let key: Int
        let generation: Int
        /// The highest number of a token that was refused and replaced.
        let refused: Int
    }

    private struct State {
        var rotation: KeyRotation
        /// The newest token of each key.
        var tokens: [ProviderToken?]
        var signing = Signing.here

        /// The token to use while another program signs the next one; `nil`: it is too late for
        /// that.
        func followed(at moment: ProviderTokenPolicy.Moment) -> Issued? {
            guard signing == .elsewhere, rotation.canFollow(at: moment),
                let token = tokens[rotation.current]
            else { return nil }
            return issued(token, rotation.current)
        }

        func issued(_ token: ProviderToken, _ key: Int) -> Issued {
            Issued(
                token: token, key: key, generation: rotation.generation,
                refused: rotation.refused)
        }
    }

    /// The storage and its latest save.
    private struct Keeping {
        var storage: (any ProviderTokenStorage)?
        var saving: Task<Void, Never>?
    }

    /// The keys, the preferred one first.
    public let keys: [Key]
    private let signers: [ES256PrivateKey]
    private let state: Locked<State>
    private let keeping = Locked(Keeping())

    private static let keysMax = 2

    /// Reads the keys. Throws for a bad key here instead of at the first push.
    ///
    /// - Parameter keys: One key, or two during a change of keys. The first one signs; the second
    ///   only when APNs refuses the first one's tokens.
    /// - Throws: When a key or its ids cannot be used, with what to do about it.
    public init(_ keys: [Key]) throws(APNsConfigurationError) {
        guard (1...Self.keysMax).contains(keys.count) else {
            throw .unusable("\(keys.count) provider keys were given: give one or two")
        }
        for key in keys { try key.validate() }
        guard Set(keys.map(\.id)).count == keys.count else {
            throw .unusable("both provider keys have the id \(keys[0].id): give one of them")
        }
        guard Set(keys.map(\.teamID)).count == 1 else {
            throw .unusable("the provider keys belong to two teams: a connection serves only one")
        }
        self.keys = keys
        var signers: [ES256PrivateKey] = []
        for key in keys { signers.append(try ES256PrivateKey(key.pem)) }
        self.signers = signers
        state = Locked(
            State(
                rotation: KeyRotation(keys: keys.count),
                tokens: Array(repeating: nil, count: keys.count)))
    }

    /// The number of tokens signed.
    public var signed: Int { state.withLock { $0.rotation.minted } }

    /// The id of the key in use.
    public var keyInUse: String { keys[placeInUse].id }

    var placeInUse: Int { state.withLock { $0.rotation.current } }

    // MARK: - Tokens for pushes

    /// Returns the token for a push now; signs a new one when due (about 40 microseconds).
    func token(
        at moment: ProviderTokenPolicy.Moment
    ) throws(APNsConfigurationError) -> Issued {
        let (issued, choice) = try state.withLock {
            state throws(APNsConfigurationError) -> (Issued, KeyRotation.Choice) in
            if let followed = state.followed(at: moment) {
                return (followed, .present(key: followed.key))
            }
            let choice = state.rotation.choice(at: moment)
            return (try self.issue(choice, from: &state, at: moment), choice)
        }
        saveIfNew(choice, at: moment)
        return issued
    }

    /// Returns the token for a retry after APNs refused one; `nil`: none is available.
    func replacement(
        forGeneration used: Int, because complaint: KeyRotation.Complaint,
        at moment: ProviderTokenPolicy.Moment
    ) throws(APNsConfigurationError) -> Issued? {
        let chosen = try state.withLock {
            state throws(APNsConfigurationError) -> (Issued, KeyRotation.Choice)? in
            let choice = state.rotation.choice(afterRefusalOf: used, complaint, at: moment)
            guard let choice else { return nil }
            // Of several programs only one answers a refusal with a new token.
            if case .mint = choice, state.signing == .elsewhere { return nil }
            return (try self.issue(choice, from: &state, at: moment), choice)
        }
        guard let (issued, choice) = chosen else { return nil }
        saveIfNew(choice, at: moment)
        return issued
    }

    /// Notes that a push got an unknown 403 with another key too: the key is not to blame.
    func endTrial(ofGeneration used: Int, at moment: ProviderTokenPolicy.Moment) {
        state.withLock { $0.rotation.endTrial(ofGeneration: used, at: moment) }
    }

    /// Returns the token for a request that has waited since it was submitted with another one: the
    /// same, unless APNs has refused it meanwhile. Then the current token avoids a certain refusal.
    func token(insteadOf issued: Issued) -> ProviderToken {
        state.withLock { state in
            guard issued.generation <= state.rotation.refused else { return issued.token }
            return state.tokens[state.rotation.current] ?? issued.token
        }
    }

    /// Stops signing after `TooManyProviderTokenUpdates`, and saves that for a restart.
    func stopMinting(at moment: ProviderTokenPolicy.Moment) {
        let hasBegun = state.withLock { state in
            guard state.rotation.stopLeft(at: moment) == 0 else { return false }
            state.rotation.stopMinting(at: moment)
            return true
        }
        guard hasBegun else { return }
        for key in keys.indices { save(key, at: moment) }
    }

    private func issue(
        _ choice: KeyRotation.Choice, from state: inout State,
        at moment: ProviderTokenPolicy.Moment
    ) throws(APNsConfigurationError) -> Issued {
        switch choice {
        case .present(let key):
            guard let token = state.tokens[key] else {
                return try issue(.mint(key: key), from: &state, at: moment)
            }
            return state.issued(token, key)
        case .mint(let key):
            let token = try ProviderToken(
                keyID: keys[key].id, teamID: keys[key].teamID, issuedAt: moment.wall / 1000,
                key: signers[key])
            state.tokens[key] = token
            state.rotation.minted(key: key, at: moment)
            return state.issued(token, key)
        }
    }
}

// MARK: - Across restarts

extension ProviderTokens {
    /// Adopts the previous run's tokens and saves new ones from now on. Call it once, before the
    /// first push.
    public func keep(in storage: any ProviderTokenStorage) async {
        await keep(in: storage, at: APNsClient.Dependencies.system.moment)
    }

    func keep(in storage: any ProviderTokenStorage, at moment: ProviderTokenPolicy.Moment) async {
        let stored = await storage.load()
        let now = storage.now
        keeping.withLock { $0.storage = storage }
        for found in stored {
            guard let key = place(ofSignerOf: found) else { continue }
            state.withLock { state in
                if let end = found.noOtherBefore, end > now {
                    state.rotation.stopMinting(for: end - now, at: moment)
                }
                let isAdopted = state.rotation.adopt(
                    key: key, issuedAt: found.token.issuedAt * 1000, age: now - found.signedAt,
                    at: moment)
                if isAdopted { state.tokens[key] = found.token }
            }
        }
    }

    /// Which of several programs with the same keys and the same storage signs.
    public enum Signing: Hashable, Sendable {
        case here
        /// Another one, unless the token gets too old: that one may be away.
        case elsewhere
    }

    /// Adopts newer tokens that others have saved, and signs one if that is due and to be done here.
    /// Call it every few seconds where several programs share a storage, so that Apple gets no more
    /// tokens than from one.
    public func refresh(_ signing: Signing) async {
        await refresh(signing, at: APNsClient.Dependencies.system.moment)
    }

    func refresh(_ signing: Signing, at moment: ProviderTokenPolicy.Moment) async {
        guard let storage = keeping.withLock({ $0.storage }) else { return }
        let stored = await storage.load()
        let now = storage.now
        for found in stored {
            guard let key = place(ofSignerOf: found) else { continue }
            state.withLock { state in
                if let end = found.noOtherBefore, end > now {
                    state.rotation.stopMinting(for: end - now, at: moment)
                }
                let isNewer = state.rotation.follow(
                    key: key, issuedAt: 1000 * found.token.issuedAt, age: now - found.signedAt,
                    at: moment)
                if isNewer { state.tokens[key] = found.token }
            }
        }
        state.withLock { $0.signing = signing }
        // A key that cannot sign fails the next push, which says so.
        if signing == .here { _ = try? token(at: moment) }
        await finishSaving()
    }

    /// Waits until all tokens signed so far are saved.
    public func finishSaving() async {
        await keeping.withLock { $0.saving }?.value
    }

    /// Returns the position of the key that signed a stored token. Tokens of other keys are not
    /// adopted: a key file may have been replaced by one with the same id, and the stored data may
    /// be anything.
    private func place(ofSignerOf stored: StoredProviderToken) -> Int? {
        let place = keys.firstIndex { $0.id == stored.keyID && $0.teamID == stored.teamID }
        guard let place else { return nil }
        do {
            let claims = try ES256PublicKey(of: signers[place]).verify(stored.token.jwt)
            let isItself =
                claims.keyID == stored.keyID && claims.teamID == stored.teamID
                && claims.issuedAt == stored.token.issuedAt
            return isItself ? place : nil
        } catch {
            // A token that cannot be verified is ignored: a new one is signed.
            return nil
        }
    }

    /// Saves a new token. The write overlaps with the token's way to APNs.
    private func saveIfNew(
        _ choice: KeyRotation.Choice, at moment: ProviderTokenPolicy.Moment
    ) {
        guard case .mint(let key) = choice else { return }
        save(key, at: moment)
    }

    /// Saves a key's newest token, if any, with Apple's limit on new ones.
    private func save(_ key: Int, at moment: ProviderTokenPolicy.Moment) {
        keeping.withLock { keeping in
            // Within the lock, so that tokens are saved in the order in which they are read.
            guard let storage = keeping.storage,
                let stored = stored(key, at: moment, storageTime: storage.now)
            else { return }
            let before = keeping.saving
            // `finishSaving` waits for it when the program stops.
            keeping.saving = Task {
                await before?.value
                await storage.save(stored)
            }
        }
    }

    private func stored(
        _ key: Int, at moment: ProviderTokenPolicy.Moment, storageTime now: Int64
    ) -> StoredProviderToken? {
        state.withLock { state in
            guard let token = state.tokens[key] else { return nil }
            let left = state.rotation.stopLeft(at: moment)
            return StoredProviderToken(
                keyID: keys[key].id, teamID: keys[key].teamID, token: token,
                signedAt: now - state.rotation.age(ofKey: key, at: moment),
                noOtherBefore: left > 0 ? now + left : nil)
        }
    }
}

extension ProviderTokens.Key {
    /// Checks that both ids are plain. Apple's have ten characters, others may differ.
    func validate() throws(APNsConfigurationError) {
        try Self.validate(id, named: "key id")
        try Self.validate(teamID, named: "team id")
    }

    /// Whether both ids have the length of Apple's.
    var isAppleLike: Bool { id.utf8.count == 10 && teamID.utf8.count == 10 }

    private static func validate(
        _ id: String, named name: String
    ) throws(APNsConfigurationError) {
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(ASCII.isAlphanumeric) else {
            throw .unusable(
                "the \(name) \"\(id)\" is not ten letters and digits: copy it from Apple's "
                    + "developer site")
        }
    }
}
