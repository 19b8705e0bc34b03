internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// The parties that are being read: their snapshots, published by the shards after each commit
/// and before the caller hears of it. Readers never ask a shard.
///
/// A party that nobody has read is first marked as read, so that from then on its commits arrive
/// here, and then loaded: so a read that follows a change never goes back before it. Bounded by
/// bytes; the party that was read longest ago goes first.
final class PartySnapshots: Sendable {
    /// What all snapshots may cost, roughly, in bytes.
    static let bytesMax = 256 * 1024 * 1024

    private enum Entry {
        /// Somebody loads it; no older version than this may be kept.
        case marked(versionMin: Int64)
        case ready(PartySnapshot)
    }

    private let parties = Locked(RecencyCache<PartyID, Entry>(costMax: bytesMax))
    /// What a marked party costs, roughly, in bytes.
    private static let markCost = 256

    /// The party as it was committed last, if it is being read.
    func current(_ party: PartyID) -> PartySnapshot? {
        parties.withLock { parties in
            guard case .ready(let snapshot)? = parties.use(party) else { return nil }
            return snapshot
        }
    }

    /// From now on commits of the party arrive here.
    func mark(_ party: PartyID) {
        parties.withLock { parties in
            guard parties.use(party) == nil else { return }
            parties.set(party, to: .marked(versionMin: 0), cost: Self.markCost)
        }
    }

    /// Commits of the party need not arrive here any more: it cannot be read.
    func forget(_ party: PartyID) { parties.withLock { $0.remove(party) } }

    /// Every party is read anew.
    func forgetAll() { parties.withLock { $0.removeAll() } }

    /// Keeps what was loaded, unless a newer version was committed meanwhile: then it must be
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
            // It was read so long ago that it left; this one was loaded after that.
            case nil: return true
            }
        }
    }

    /// Takes a commit in, if anybody reads the party.
    func publish(_ commit: PartyCommit) {
        parties.withLock { parties in
            let party = commit.stored.id
            switch parties.value(party) {
            case .ready(let snapshot)?:
                if let next = snapshot.next(commit) {
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
