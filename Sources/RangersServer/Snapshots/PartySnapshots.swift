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

    private enum Entry {
        /// The party is being loaded; an older version than this must not be kept.
        case marked(versionMin: Int64)
        case ready(PartySnapshot)
    }

    private let names: HiddenNames
    private let parties = Locked(RecencyCache<PartyID, Entry>(costMax: bytesMax))
    /// The approximate size of a marked party.
    private static let markCost = 256

    init(hiding names: HiddenNames = HiddenNames()) { self.names = names }

    /// Returns the party as last committed, if it is being read.
    func current(_ party: PartyID) -> PartySnapshot? {
        parties.withLock { parties in
            guard case .ready(let snapshot)? = parties.use(party) else { return nil }
            return snapshot
        }
    }

    /// Takes commits of the party from now on.
    func mark(_ party: PartyID) {
        parties.withLock { parties in
            guard parties.use(party) == nil else { return }
            parties.set(party, to: .marked(versionMin: 0), cost: Self.markCost)
        }
    }

    /// Takes no more commits of the party, because it cannot be read.
    func forget(_ party: PartyID) { parties.withLock { $0.remove(party) } }

    /// Removes all parties, so that each is loaded again.
    func forgetAll() { parties.withLock { $0.removeAll() } }

    /// Keeps a loaded snapshot, unless a newer version was committed meanwhile; then it must be
    /// loaded again. Returns whether it is current.
    func offer(_ loaded: PartySnapshot) -> Bool {
        let party = loaded.stored.id
        return parties.withLock { parties in
            switch parties.use(party) {
            case .ready(let known)?: return known.stored.version <= loaded.stored.version
            case .marked(let versionMin)?:
                guard loaded.stored.version >= versionMin else { return false }
                parties.set(party, to: .ready(loaded), cost: loaded.bytes)
                return true
            // The mark was removed for lack of room.
            case nil: return true
            }
        }
    }

    /// Takes a commit, if the party is being read.
    func publish(_ commit: PartyCommit) {
        let names = names
        parties.withLock { parties in
            let party = commit.stored.id
            switch parties.value(party) {
            case .ready(let snapshot)?:
                if let next = snapshot.next(commit, hiding: names.inForce) {
                    parties.set(party, to: .ready(next), cost: next.bytes)
                } else {
                    let newest = Entry.marked(versionMin: commit.stored.version)
                    parties.set(party, to: newest, cost: Self.markCost)
                }
            case .marked(let versionMin)?:
                let newest = Entry.marked(versionMin: max(versionMin, commit.stored.version))
                parties.set(party, to: newest, cost: Self.markCost)
            case nil: break
            }
        }
    }
}
