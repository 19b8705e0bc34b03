import Foundation
import PartyStore

/// Every kind of store: the contract's tests run over each. A further store is a further case.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite

    /// Opens the store of a folder: the same one, however often it is opened.
    func open(in folder: TemporaryFolder) async throws -> any Store {
        switch self {
        case .sqlite: try await SQLiteStore.open(path: folder.file)
        }
    }

    /// Runs `body` with a new store and its owner's epoch.
    func withStore(_ body: (any Store, Epoch) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try await open(in: folder)
        let epoch = try await store.takeOwnership()
        try await body(store, epoch)
        await store.close()
    }
}

/// A folder of one test's own; goes with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var file: String { url.appendingPathComponent("rangers.db").path }
}
