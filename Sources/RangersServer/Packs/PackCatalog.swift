internal import Content
internal import GameLogic
internal import Isolation
internal import PartyStore

/// The adventure packs of the server: what new adventures play, and the words of all.
final class PackCatalog: Sendable {
    /// The most versions of packs that a server keeps. None is ever deleted, because adventures and
    /// logged commands may name it.
    static let versionsMax = 256

    /// A version, with its status.
    struct Entry: Sendable {
        let document: PackDocument
        let status: PackRecord.Status

        var reference: Pack.Reference { document.pack.reference }
    }

    private struct State {
        var entries: [Pack.Reference: Entry] = [:]
        /// How many reads have begun, and the newest read that has set each version.
        var reads = 0
        var readOf: [Pack.Reference: Int] = [:]
    }

    private let words: PackWords
    private let state = Locked(State())

    private init(words: PackWords) { self.words = words }

    /// Loads the packs of the store, after those of the program and of the operator's folder have
    /// been added to it.
    ///
    /// - Throws: `PackError` when a pack has other rules than the same version in the store.
    static func loaded(
        _ documents: [PackDocument], _ words: Words, _ dependencies: Dependencies, epoch: Epoch
    ) async throws -> PackCatalog {
        let conflicts = try await dependencies.store.add(
            documents.map { PackRecord($0, status: .published) }, epoch: epoch)
        if let conflict = conflicts.first { throw PackError.otherRules(conflict) }
        let catalog = PackCatalog(words: words.packs)
        let known = Dictionary(
            documents.map { ($0.pack.reference, $0) }, uniquingKeysWith: { first, _ in first })
        try await catalog.reloadAll(dependencies, ifNot: known)
        return catalog
    }

    // MARK: What the store has

    /// Reads a version again after a change.
    func reload(_ reference: Pack.Reference, from store: any Store) async throws {
        let number = nextRead()
        guard let record = try await store.pack(reference) else { return }
        set(try record.document(), record.status, read: number)
    }

    /// Reads all versions, because another server may have changed any. Those that cannot be read
    /// are logged; those that are as they were `known` are not read and linted again.
    func reloadAll(
        _ dependencies: Dependencies, ifNot known: [Pack.Reference: PackDocument] = [:]
    ) async throws(StoreError) {
        let number = nextRead()
        for record in try await dependencies.store.packs() {
            let known = entry(record.reference)?.document ?? known[record.reference]
            do throws(PackFaults) {
                set(try record.document(ifNot: known), record.status, read: number)
            } catch {
                dependencies.log.error(
                    "cannot read a pack", ["pack": "\(record.reference)", "faults": "\(error)"])
            }
        }
    }

    private func nextRead() -> Int {
        state.withLock { state in
            state.reads += 1
            return state.reads
        }
    }

    /// Notes a version, unless a later read has: that one has seen at least as much.
    private func set(_ document: PackDocument, _ status: PackRecord.Status, read number: Int) {
        let reference = document.pack.reference
        state.withLock { state in
            guard state.readOf[reference, default: 0] <= number else { return }
            state.readOf[reference] = number
            state.entries[reference] = Entry(document: document, status: status)
            words.add(document)
        }
    }

    // MARK: Entries

    func entry(_ reference: Pack.Reference) -> Entry? {
        state.withLock { $0.entries[reference] }
    }

    /// All versions, by id and version.
    var all: [Entry] {
        state.withLock { Array($0.entries.values) }.sorted {
            ($0.reference.id, $0.reference.version) < ($1.reference.id, $1.reference.version)
        }
    }

    /// What new adventures play: the newest published version of each pack, by id.
    var playable: [PackDocument] {
        var newest: [PackDocument] = []
        for entry in all where entry.status == .published {
            if newest.last?.pack.reference.id == entry.reference.id { newest.removeLast() }
            newest.append(entry.document)
        }
        return newest
    }

    /// Returns the pack that a new adventure with this id plays; `nil`: there is none.
    func playable(_ id: String) -> Pack? {
        let published = state.withLock { state in
            state.entries.values.filter { $0.status == .published && $0.reference.id == id }
        }
        return published.max { $0.reference.version < $1.reference.version }?.document.pack
    }
}

/// Why the server cannot start with its packs.
enum PackError: Error, Hashable, CustomStringConvertible {
    case otherRules(Pack.Reference)

    var description: String {
        switch self {
        case .otherRules(let pack):
            "The pack \(pack) is in the store with other rules, which adventures may be using: "
                + "give this one a higher \"version\"."
        }
    }
}
