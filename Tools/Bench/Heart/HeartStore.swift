internal import Foundation
internal import PartyStore
internal import Playtest
internal import PushLoad

/// Where a run of the heart keeps its parties: a SQLite file, or a PostgreSQL database.
struct HeartStore: Sendable {
    let store: any Store
    private let writer: @Sendable () -> Double
    private let files: [String]

    /// Makes a game in a new file, or in a database that has none; `write` gets an empty store.
    ///
    /// A party with its Live Activities is some thirty statements. A database is a round trip away,
    /// so the game is written to a file first, and moved as operators do it.
    static func make(
        _ data: String, _ write: (any Store, Epoch) async throws -> Void
    ) async throws -> HeartStore {
        guard !FileManager.default.fileExists(atPath: data) else {
            throw BenchError("\(data) exists: name a new file")
        }
        guard data.hasPrefix("postgresql:") else { return try await written(data, write) }
        let folder = try TestbedFolder(nil)
        defer { folder.removeIfTemporary() }
        let file = try await written(folder.database, write)
        await file.store.close()
        _ = try await GameMove().run(
            from: .file(folder.database), to: .database(try PostgreSQLAddress(data)))
        return try await open(data)
    }

    private static func written(
        _ file: String, _ write: (any Store, Epoch) async throws -> Void
    ) async throws -> HeartStore {
        let place = try await open(file)
        let epoch = try await place.store.takeOwnership()
        try await write(place.store, epoch)
        return place
    }

    /// Opens the file, or the database, of a path or a URI.
    static func open(_ data: String) async throws -> HeartStore {
        guard data.hasPrefix("postgresql:") else {
            let store = try await SQLiteStore.open(path: data)
            return HeartStore(
                store: store, writer: { store.writerCPUSeconds }, files: [data, data + "-wal"])
        }
        let store = try await PostgreSQLStore.open(try PostgreSQLAddress(data))
        return HeartStore(store: store, writer: { 0 }, files: [])
    }

    /// The writing thread's CPU time; 0 over PostgreSQL, where it is not measured.
    var writerCPUSeconds: Double { writer() }

    /// The bytes of the files.
    var fileBytes: Int { files.reduce(0) { $0 + Self.size($1) } }

    private static func size(_ file: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
