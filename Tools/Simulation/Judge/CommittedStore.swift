internal import GameLogic
internal import PartyStore
internal import PushPolicy
internal import RangersServer

/// The store as it is committed on the simulated disk, read by a connection of the judge's own, in
/// the world's life.
final class CommittedStore: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private unowned let world: World
    private var store: SQLiteStore?

    init(of world: World) { self.world = world }

    private static let pageSize = 100

    /// Opens the file while a server serves it.
    func open() async {
        await close()
        store = await openReadOnly()
    }

    func close() async {
        let open = store
        store = nil
        await open?.close()
    }

    private func openReadOnly() async -> SQLiteStore? {
        do throws(StoreError) {
            return try await SQLiteStore.openReadOnly(path: ServerHost.path, disk: world.disk.disk)
        } catch {
            // A file that a fault has damaged, or that has none of its tables yet.
            return nil
        }
    }

    /// Returns a party as it is committed now.
    func party(_ id: String) async -> StoredParty? {
        do throws(StoreError) {
            return try await store?.party(PartyID(id))
        } catch {
            return nil
        }
    }

    /// Returns all parties of a file without a server; `nil`: it cannot be read.
    func parties() async -> [StoredParty]? {
        guard let store = await openReadOnly() else { return nil }
        var parties: [StoredParty] = []
        do throws(StoreError) {
            while true {
                let page = try await store.parties(after: parties.last?.id, limit: Self.pageSize)
                if page.isEmpty { break }
                parties += page
            }
        } catch {
            await store.close()
            return nil
        }
        newest = await newestChange(in: store)
        await store.close()
        return parties
    }

    /// When the newest change was made that `parties` has found, by the server's time.
    private(set) var newest: Int64?

    private func newestChange(in store: SQLiteStore) async -> Int64? {
        do throws(StoreError) {
            return try await store.clockRecord().newest?.milliseconds
        } catch {
            return nil
        }
    }

    /// Replays all parties, and returns the differences (IN18), but for damage that a fault explains.
    func replay(orDamage isExplained: Bool) async -> [String] {
        guard let store = await openReadOnly() else {
            return isExplained ? [] : ["the file cannot be read"]
        }
        let report = await Replay(store).report(party: nil)
        await store.close()
        return report.differences.filter { !isExplained || !$0.contains("corrupt") }
    }
}
