internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Lets the other nodes know that this one has changed what each of them keeps in memory.
///
/// A change is in the store before it is announced. What cannot be announced is announced again
/// after the next renewal of the lease.
final class Announcer: Sendable {
    /// `nil`: there are no other nodes.
    private let store: (any NodeStore)?
    private let epoch: Epoch
    private let dependencies: Dependencies
    private let unannounced = Locked<Set<SharedNews>>([])
    /// How many of the store's doubts have been announced.
    private let doubts = Locked(0)

    init(_ dependencies: Dependencies, epoch: Epoch, map: ShardMap) {
        store = map.isShared ? dependencies.store.shared : nil
        self.epoch = epoch
        self.dependencies = dependencies
    }

    func announce(_ news: SharedNews) async {
        guard let store else { return }
        do throws(StoreError) {
            try await store.announce(news, epoch: epoch)
        } catch {
            unannounced.withLock { _ = $0.insert(news) }
            dependencies.log.warning(
                "the other nodes do not know of a change yet",
                ["of": "\(news)", "error": "\(error)"])
        }
    }

    /// Announces what could not be announced; everything, if the store may have a change that it has
    /// not acknowledged, of whose effects this node does not know either.
    func announceAgain() async {
        let count = store?.doubtCount ?? 0
        let isInDoubt = doubts.withLock { doubts in
            defer { doubts = count }
            return doubts != count
        }
        let left = unannounced.withLock { unannounced in
            if isInDoubt { unannounced = Set(SharedNews.allCases) }
            defer { unannounced = [] }
            return unannounced
        }
        for news in left { await announce(news) }
    }
}
