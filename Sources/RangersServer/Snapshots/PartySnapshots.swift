internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// The snapshots of the parties that are being read. A shard publishes each commit here before its
/// caller gets a response. Readers never ask a shard.
///
/// A party is marked before it is first loaded, so that its commits arrive here meanwhile: a read
/// after a change never returns an older version. The size is limited; the party whose last read is
/// the oldest is removed first.
final class PartySnapshots: Sendable {
    /// The approximate limit of all snapshots.
    static let bytesMax = 256 * 1024 * 1024

    fileprivate enum Entry {
        /// The party is being loaded; an older version than this must not be kept.
        case marked(versionMin: Int64)
        case ready(PartySnapshot)
    }

    fileprivate struct State {
        var parties = RecencyCache<PartyID, Entry>(costMax: bytesMax)
        /// How many streams each party has.
        var watchers: [PartyID: Int] = [:]
        /// Parties with streams that have changed since `takeChanged`.
        var changed: Set<PartyID> = []
    }

    /// Where shards leave what consoles want to know.
    let news: PartyNews
    private let names: HiddenNames
    private let state = Locked(State())
    /// Woken when a party with streams has changed.
    private let watcher: Sleeper?
    /// The approximate size of a marked party.
    fileprivate static let markCost = 256

    init(
        hiding names: HiddenNames = HiddenNames(), waking watcher: Sleeper? = nil,
        telling news: PartyNews = PartyNews()
    ) {
        self.news = news
        self.names = names
        self.watcher = watcher
    }

    /// Returns the party as last committed, if it is being read.
    func current(_ party: PartyID) -> PartySnapshot? {
        state.withLock { state in
            guard case .ready(let snapshot)? = state.parties.use(party) else { return nil }
            return snapshot
        }
    }

    /// Takes commits of the party from now on.
    func mark(_ party: PartyID) {
        state.withLock { state in
            guard state.parties.use(party) == nil else { return }
            state.parties.set(party, to: .marked(versionMin: 0), cost: Self.markCost)
        }
    }

    /// Notes which version the store has. An older snapshot, from before another node or a change
    /// that was not acknowledged has written the party, is loaded again.
    func expect(_ version: Int64, of party: PartyID) {
        let isFirstChange = state.withLock { state in
            switch state.parties.value(party) {
            case .ready(let known)? where known.stored.version < version:
                state.mark(party, versionMin: version)
                return state.noteChange(of: party)
            case .marked(let versionMin)?:
                state.mark(party, versionMin: max(versionMin, version))
                return false
            case .ready, nil: return false
            }
        }
        if isFirstChange { watcher?.wake() }
    }

    /// Takes no more commits of the party, because it cannot be read.
    func forget(_ party: PartyID) { state.withLock { $0.parties.remove(party) } }

    /// Removes all parties, so that each is loaded again.
    func forgetAll() { state.withLock { $0.parties.removeAll() } }

    /// Keeps a loaded snapshot, unless a newer version was committed meanwhile; then it must be
    /// loaded again. Returns whether it is current.
    func offer(_ loaded: PartySnapshot) -> Bool {
        let party = loaded.stored.id
        return state.withLock { state in
            switch state.parties.use(party) {
            case .ready(let known)?:
                guard loaded.stored.version >= known.stored.version else { return false }
                if loaded.stored.version > known.stored.version {
                    state.parties.set(party, to: .ready(loaded), cost: loaded.bytes)
                }
                return true
            case .marked(let versionMin)?:
                guard loaded.stored.version >= versionMin else { return false }
                state.parties.set(party, to: .ready(loaded), cost: loaded.bytes)
                return true
            // The mark was removed for lack of room.
            case nil: return true
            }
        }
    }

    /// Takes a commit, if the party is being read.
    func publish(_ commit: PartyCommit) {
        let names = names
        let isFirstChange = state.withLock { state in
            state.take(commit, hiding: names)
            return state.noteChange(of: commit.stored.id)
        }
        if isFirstChange { watcher?.wake() }
    }

    // MARK: Streams

    /// Notes the party's changes from now on; once for each stream.
    func watch(_ party: PartyID) { state.withLock { $0.watchers[party, default: 0] += 1 } }

    /// Ends one `watch`.
    func unwatch(_ party: PartyID) {
        state.withLock { state in
            let others = state.watchers[party, default: 1] - 1
            state.watchers[party] = others > 0 ? others : nil
        }
    }

    /// Returns the watched parties that have changed, once.
    func takeChanged() -> Set<PartyID> {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed
        }
    }
}

extension PartySnapshots.State {
    fileprivate mutating func take(_ commit: PartyCommit, hiding names: HiddenNames) {
        let party = commit.stored.id
        switch parties.value(party) {
        case .ready(let snapshot)?:
            if let next = snapshot.next(commit, hiding: names.inForce) {
                parties.set(party, to: .ready(next), cost: next.bytes)
            } else {
                mark(party, versionMin: commit.stored.version)
            }
        case .marked(let versionMin)?:
            mark(party, versionMin: max(versionMin, commit.stored.version))
        case nil: break
        }
    }

    fileprivate mutating func mark(_ party: PartyID, versionMin: Int64) {
        parties.set(party, to: .marked(versionMin: versionMin), cost: PartySnapshots.markCost)
    }

    /// Returns whether it is the first change since `takeChanged`.
    fileprivate mutating func noteChange(of party: PartyID) -> Bool {
        guard !watchers.isEmpty, watchers[party] != nil else { return false }
        let isFirst = changed.isEmpty
        changed.insert(party)
        return isFirst
    }
}
