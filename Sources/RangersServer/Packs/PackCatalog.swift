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
        var reads = ReadOrder()
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
        try await catalog.reload(dependencies, ifNot: known)
        return catalog
    }

    /// Reads all versions, because this server or another one may have changed any. Those that
    /// cannot be read are logged; those that are as they were `known` are not read and linted again.
    func reload(
        _ dependencies: Dependencies, ifNot known: [Pack.Reference: PackDocument] = [:]
    ) async throws(StoreError) {
        let number = state.withLock { $0.reads.begin() }
        var read: [Entry] = []
        for record in try await dependencies.store.packs() {
            let known = entry(record.reference)?.document ?? known[record.reference]
            do throws(PackFaults) {
                let document = try record.document(ifNot: known)
                read.append(Entry(document: document, status: record.status))
            } catch {
                dependencies.log.error(
                    "cannot read a pack", ["pack": "\(record.reference)", "faults": "\(error)"])
            }
        }
        let entries = read
        state.withLock { state in
            guard state.reads.take(number) else { return }
            for entry in entries {
                state.entries[entry.reference] = entry
                words.add(entry.document)
            }
        }
    }

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
