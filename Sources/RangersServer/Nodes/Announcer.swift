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

    /// Announces everything after the next renewal: the store may have a change that it has not
    /// acknowledged, and whose effects this node does not know of either.
    func announceAllLater() {
        if store != nil { unannounced.withLock { $0 = Set(SharedNews.allCases) } }
    }

    /// Announces what could not be announced.
    func announceAgain() async {
        let left = unannounced.withLock { unannounced in
            defer { unannounced = [] }
            return unannounced
        }
        for news in left { await announce(news) }
    }
}
