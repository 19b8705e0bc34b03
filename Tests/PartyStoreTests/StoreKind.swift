import Foundation
import Isolation
import Programs

@testable import PartyStore

/// Every kind of store: the contract's tests run over each. A further store is a further case.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite
    case postgreSQL

    /// Opens the store of a folder: the same one, however often it is opened.
    func open(
        in folder: TemporaryFolder, onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) async throws -> any TableStore {
        switch self {
        case .sqlite: try await SQLiteStore.open(path: folder.file, onEvent: onEvent)
        case .postgreSQL: try await PostgreSQLStore.open(folder.schema(), onEvent: onEvent)
        }
    }

    /// Runs `body` with a new store and its owner's epoch.
    func withStore(_ body: (any TableStore, Epoch) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try await open(in: folder)
        let epoch = try await store.takeOwnership()
        try await body(store, epoch)
        await store.close()
    }
}

/// A folder of one test's own, and a schema in PostgreSQL; both go with it.
final class TemporaryFolder: Sendable {
    let url: URL
    private let schemaName = Locked<String?>(nil)

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        guard let name = schemaName.withLock({ $0 }) else { return }
        try? PostgreSQLServer.shared.get().drop(schema: name)
    }

    var file: String { url.appendingPathComponent("rangers.db").path }

    /// Returns the address of the schema, which is created with the first call.
    func schema() throws -> PostgreSQLAddress { try PostgreSQLAddress(schemaURI()) }

    /// Returns the same for another program.
    func schemaURI() throws -> String {
        let server = try PostgreSQLServer.shared.get()
        let known = schemaName.withLock { $0 }
        let name = known ?? "s" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        if known == nil {
            try server.create(schema: name)
            schemaName.withLock { $0 = name }
        }
        return server.uri(schema: name)
    }
}
