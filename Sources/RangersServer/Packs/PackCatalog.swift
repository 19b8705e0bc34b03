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

    private let words: PackWords
    private let entries = Locked<[Pack.Reference: Entry]>([:])

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
        for record in try await dependencies.store.packs() {
            catalog.read(record, ifNot: known[record.reference], dependencies.log)
        }
        return catalog
    }

    /// Notes a record, or why it cannot be read. What is `known` is not read and linted again.
    private func read(_ record: PackRecord, ifNot known: PackDocument?, _ log: Log) {
        do throws(PackFaults) {
            put(try record.document(ifNot: known), record.status)
        } catch {
            log.error(
                "cannot read a pack", ["pack": "\(record.reference)", "faults": "\(error)"])
        }
    }

    /// Notes a version that is in the store already.
    func put(_ document: PackDocument, _ status: PackRecord.Status) {
        words.add(document)
        entries.withLock {
            $0[document.pack.reference] = Entry(document: document, status: status)
        }
    }

    /// Reads a version again after a change. The last of several changes to be read is the newest.
    func reload(_ reference: Pack.Reference, from store: any Store) async throws {
        guard let record = try await store.pack(reference) else { return }
        put(try record.document(), record.status)
    }

    /// Reads all versions again that are new, or have another status or other texts, because another
    /// server may have changed any.
    func reloadAll(_ dependencies: Dependencies) async throws(StoreError) {
        for record in try await dependencies.store.packs() {
            read(record, ifNot: entry(record.reference)?.document, dependencies.log)
        }
    }

    func entry(_ reference: Pack.Reference) -> Entry? { entries.withLock { $0[reference] } }

    /// All versions, by id and version.
    var all: [Entry] {
        entries.withLock { Array($0.values) }.sorted {
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
        let published = entries.withLock { entries in
            entries.values.filter { $0.status == .published && $0.reference.id == id }
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
