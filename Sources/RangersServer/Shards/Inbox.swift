internal import GameLogic
internal import Isolation
internal import PartyStore

/// Brings letters to the loops of the parties that are here: those that a change here has just sent,
/// and those in the store, of any server.
///
/// A server that has the store for itself reads it once, at its start; a node with each renewal of
/// its lease, and when a write has found letters. So another owner has a letter within two seconds.
final class Inbox: Sendable {
    /// The most letters of one read. The next one finds more, once these are taken.
    static let lettersMax = 1000

    private struct State {
        var loops: [Mailbox] = []
        var isReading = false
        /// Whether a read was asked for while one was under way.
        var isDueAgain = false
    }

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let map: ShardMap
    private let state = Locked(State())

    init(_ dependencies: Dependencies, epoch: Epoch, map: ShardMap) {
        self.dependencies = dependencies
        self.epoch = epoch
        self.map = map
    }

    /// Whether other servers may have sent letters.
    var isShared: Bool { map.isShared }

    /// Notes the shard loops, in their order.
    func bring(to loops: [Mailbox]) { state.withLock { $0.loops = loops } }

    /// Passes letters on that are in the store. Those to parties of other nodes their owners read.
    func deliver(_ letters: [PartyLetter]) {
        let here = letters.filter { map.isOwned($0.party) }
        guard !here.isEmpty else { return }
        let loops = state.withLock { $0.loops }
        for (loop, letters) in Dictionary(grouping: here, by: { $0.shard % loops.count }) {
            loops[loop].add(letters)
        }
    }

    /// Reads the store.
    func read() async throws(StoreError) {
        deliver(try await dependencies.store.letters(of: epoch, limit: Self.lettersMax))
    }

    /// Reads the store soon, one read at a time. What fails, the next renewal of the lease reads.
    func readSoon() {
        let begins = state.withLock { state in
            state.isDueAgain = state.isReading
            defer { state.isReading = true }
            return !state.isReading
        }
        guard begins else { return }
        // Nobody waits for it: the letters stay in the store until they are taken.
        Task { await readAll() }
    }

    private func readAll() async {
        var goesOn = true
        while goesOn {
            do throws(StoreError) {
                try await read()
            } catch {
                dependencies.log.warning("cannot read the inbox yet", ["error": "\(error)"])
            }
            goesOn = state.withLock { state in
                defer { state.isDueAgain = false }
                if !state.isDueAgain { state.isReading = false }
                return state.isDueAgain
            }
        }
    }
}
