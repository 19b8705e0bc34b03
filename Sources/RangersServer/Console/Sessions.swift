internal import Isolation
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// The sessions of game masters in browsers. They are kept in the store, as hashes, and known here,
/// so that each request and each round of a stream asks without waiting.
///
/// A session ends after 30 minutes without use, after 12 hours, when its game master signs out, and
/// with its key. All times are the server's (docs/internals/time.md).
final class Sessions: Sendable {
    static let idleMinutes: Int64 = 30
    static let hoursMax: Int64 = 12
    /// The most sessions. One more ends the longest unused one of the key that has most of them.
    static let countMax = 100
    /// How late the store may know of a session's use, in seconds.
    static let writeSeconds: Int64 = 60
    /// 5 bits per character: 260 bits.
    private static let secretLength = 52

    fileprivate struct State {
        /// By the hash of the secret.
        var open: [String: SessionRecord] = [:]
        /// Those that are being opened here and may not be in the store yet.
        var opening: Set<String> = []
        /// Those used since the store was told.
        var used: Set<String> = []
        /// Those that have ended and may still be in the store.
        var ended: Set<String> = []
        var reads = ReadOrder()
        /// How often a key may have been revoked since the start.
        var revocations = 0
        var codes = SessionCodes()
        var isStopping = false
    }

    private let dependencies: Dependencies
    private let epoch: Epoch
    /// A part of what is hashed: another owner's key ends all sessions.
    private let ownerKey: Secret
    private let state: Locked<State>
    /// Whether other servers may open and end sessions too.
    private let isShared: Bool
    private let rest: Sleeper

    private init(
        _ dependencies: Dependencies, epoch: Epoch, ownerKey: Secret, isShared: Bool,
        _ known: [SessionRecord]
    ) {
        self.isShared = isShared
        self.dependencies = dependencies
        self.epoch = epoch
        self.ownerKey = ownerKey
        rest = Sleeper(dependencies.clock)
        var state = State()
        for session in known { state.open[session.id] = session }
        self.state = Locked(state)
    }

    /// Returns the sessions of the data file that go on. After a start of the machine none does:
    /// nobody knows for how long it was off.
    static func loaded(
        _ dependencies: Dependencies, epoch: Epoch, _ settings: Server.Settings,
        isShared: Bool = false
    ) async throws(StoreError) -> Sessions {
        let now = dependencies.clock.now()
        let known = try await dependencies.store.sessions()
        let isTimeKnown = try await dependencies.isTimeKnown()
        let sessions = Sessions(
            dependencies, epoch: epoch, ownerKey: settings.adminKey, isShared: isShared, known)
        sessions.state.withLock { state in
            let isInOrder = { (session: SessionRecord) in
                session.createdAt <= session.seenAt && session.seenAt <= now
            }
            state.end { !isTimeKnown || !isInOrder($0) || $0.isOver(at: now) }
        }
        return sessions
    }

    /// Reads the sessions again, because another server may have opened or ended some; and once more
    /// each time that one has ended here meanwhile.
    func reload() async throws(StoreError) {
        while try await !reloadOnce() {}
    }

    private func reloadOnce() async throws(StoreError) -> Bool {
        let (number, written) = state.withLock { state in
            (state.reads.begin(), Set(state.open.keys).subtracting(state.opening))
        }
        let known = try await dependencies.store.sessions()
        return state.withLock { state in
            guard state.reads.take(number) else { return !state.reads.isOutdated(number) }
            let ids = Set(known.map(\.id))
            for var session in known where !state.ended.contains(session.id) {
                if let here = state.open[session.id] {
                    session.seenAt = max(session.seenAt, here.seenAt)
                }
                state.open[session.id] = session
            }
            state.open = state.open.filter { ids.contains($0.key) || !written.contains($0.key) }
            state.revocations += 1
            return true
        }
    }

    // MARK: Callers

    /// Returns the session of a cookie, which this uses.
    func session(of secret: Secret) -> SessionRecord? {
        let (id, now) = (id(of: secret), dependencies.clock.now())
        return state.withLock { state in
            guard var session = state.open[id], !session.isOver(at: now) else { return nil }
            session.seenAt = max(now, session.seenAt)
            state.open[id] = session
            state.used.insert(id)
            return session
        }
    }

    /// Returns the session of a cookie, also one that another server has opened just now.
    func session(orStoredOf secret: Secret) async throws(StoreError) -> SessionRecord? {
        if let known = session(of: secret) { return known }
        guard isShared else { return nil }
        try await reload()
        return session(of: secret)
    }

    /// The number that a caller by key takes before its key is looked up.
    var revocations: Int { state.withLock { $0.revocations } }

    /// Whether a stream that began with this admission must end. While it goes on, its session is in
    /// use: a page closes its stream when nobody sees it.
    func hasEnded(_ admission: Admission) -> Bool {
        switch admission.credential {
        case .key(_, let revocations): revocations != self.revocations
        case .session(let session): !isInUse(session.id)
        }
    }

    /// Whether a session with this id is open. A stream of it goes on, so it is in use.
    func isInUse(_ id: String) -> Bool {
        let now = dependencies.clock.now()
        return state.withLock { state in
            guard let open = state.open[id], !open.isOver(at: now) else { return false }
            state.open[id]?.seenAt = max(now, open.seenAt)
            state.used.insert(id)
            return true
        }
    }

    // MARK: Signing in and out

    /// Opens a session. Returns the secret for its cookie; `nil`: the key has been revoked.
    func open(for key: KnownKey, as call: AuditRecord) async throws(StoreError) -> Secret? {
        let secret = Secret(RandomText.name(length: Self.secretLength))
        let now = dependencies.clock.now()
        let session = SessionRecord(
            id: id(of: secret), holder: key.holder, createdAt: now, seenAt: now)
        // Before it is written, so that a revocation at this moment finds it. Nobody has its secret.
        let over = lastUse(at: now)
        let ended = state.withLock { state in
            state.makeRoom { $0.isOver(at: over) }
            state.open[session.id] = session
            state.opening.insert(session.id)
            return Array(state.ended)
        }
        defer { state.withLock { _ = $0.opening.remove(session.id) } }
        do throws(StoreError) {
            let isWritten = try await dependencies.store.insert(
                session, of: key.record, removing: ended, as: call, epoch: epoch)
            guard isWritten else {
                state.withLock { _ = $0.open.removeValue(forKey: session.id) }
                return nil
            }
        } catch {
            state.withLock { $0.end { $0.id == session.id } }
            throw error
        }
        state.withLock { $0.noteGone(ended) }
        return secret
    }

    func close(_ session: SessionRecord, as call: AuditRecord) async throws(StoreError) {
        try await dependencies.store.update([], removing: [session.id], as: call, epoch: epoch)
        state.withLock { state in
            state.open[session.id] = nil
            state.noteGone([session.id])
        }
    }

    /// Ends all that a revoked key has opened. Its sessions are no longer in the store.
    func endAll(of key: GameMaster) {
        state.withLock { state in
            state.revocations += 1
            state.open = state.open.filter { $0.value.holder.name != key.name }
            state.reads.outdateAll()
            state.codes.removeAll(of: key)
        }
    }

    /// Returns a code that opens one session of this key, and when it ends.
    func newCode(for key: KnownKey) -> (code: Secret, endsAt: WallTime) {
        let now = dependencies.clock.now()
        return state.withLock { $0.codes.add(key, at: now) }
    }

    /// Returns the key whose code this is. Of any number of calls at once, one gets it.
    func takeCode(_ code: Secret) -> KnownKey? {
        let now = dependencies.clock.now()
        return state.withLock { $0.codes.take(code, at: now) }
    }

    private func id(of secret: Secret) -> String {
        Digest.hex(Digest.sha256("\(secret.revealed) \(ownerKey.revealed)".utf8))
    }
}

// MARK: - The store's copy

extension Sessions {
    /// Tells the store each minute which sessions were used, and which have ended.
    func run() async {
        while !state.withLock({ $0.isStopping }) {
            await rest.sleep(
                until: dependencies.clock.now().adding(seconds: Self.writeSeconds))
            if isShared { try? await reload() }
            await write()
        }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        rest.wake()
    }

    /// Returns the time by which a session must be over to be ended for all servers: others write
    /// late that they have seen one.
    private func lastUse(at now: WallTime) -> WallTime {
        isShared ? now.adding(seconds: -2 * Self.writeSeconds) : now
    }

    private func write() async {
        let now = dependencies.clock.now()
        let over = lastUse(at: now)
        let (used, ended) = state.withLock { state in
            state.end { $0.isOver(at: over) }
            defer { state.used = [] }
            return (state.used.compactMap { state.open[$0] }, Array(state.ended))
        }
        guard !used.isEmpty || !ended.isEmpty else { return }
        do throws(StoreError) {
            try await dependencies.store.update(used, removing: ended, as: nil, epoch: epoch)
            state.withLock { $0.noteGone(ended) }
        } catch {
            // They are written again in a minute.
            state.withLock { $0.used.formUnion(used.map(\.id)) }
            dependencies.log.warning(
                "the sessions of game masters cannot be written", ["error": "\(error)"])
        }
    }
}

extension Sessions.State {
    /// Ends the sessions that match.
    fileprivate mutating func end(where isOver: (SessionRecord) -> Bool) {
        for session in open.values where isOver(session) {
            open[session.id] = nil
            used.remove(session.id)
            ended.insert(session.id)
        }
    }

    /// Notes that these are no longer in the store. A read that is under way may still have them.
    fileprivate mutating func noteGone(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        ended.subtract(ids)
        reads.outdateAll()
    }

    /// Makes room for one more session.
    fileprivate mutating func makeRoom(ending isOver: (SessionRecord) -> Bool) {
        end(where: isOver)
        while open.count >= Sessions.countMax {
            let ofKeys = Dictionary(grouping: open.values) { $0.holder.name }
            let most = ofKeys.values.max { $0.count < $1.count }
            guard let longest = most?.min(by: { $0.seenAt < $1.seenAt }) else { return }
            end { $0.id == longest.id }
        }
    }
}

extension SessionRecord {
    /// When it ends, if it is not used again.
    var endsAt: WallTime {
        min(
            createdAt.adding(seconds: Sessions.hoursMax * 3600),
            seenAt.adding(seconds: Sessions.idleMinutes * 60))
    }

    fileprivate func isOver(at now: WallTime) -> Bool { endsAt <= now }
}
