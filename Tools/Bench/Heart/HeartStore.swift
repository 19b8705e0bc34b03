internal import Foundation
internal import PartyStore
internal import PushLoad

/// Where a run of the heart keeps its parties: a SQLite file, or a PostgreSQL database.
struct HeartStore: Sendable {
    let store: any Store
    private let writer: @Sendable () -> Double
    private let files: [String]

    /// Opens a new file, or a database that has no parties.
    static func make(_ data: String) async throws -> HeartStore {
        guard !FileManager.default.fileExists(atPath: data) else {
            throw BenchError("\(data) exists: name a new file")
        }
        return try await open(data)
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

    /// Takes ownership of all shards, or of this node's share among as many nodes, which have the
    /// other shards.
    func own(amongNodes count: Int) async throws -> Epoch {
        guard count > 1 else { return try await store.takeOwnership() }
        guard let store = store as? PostgreSQLStore else {
            throw BenchError("only a PostgreSQL database has several nodes")
        }
        // The first has all shards until it gives some away.
        let first = try await store.join(name: "0", address: "127.0.0.1:1")
        for number in 1..<count {
            let other = try await store.join(
                name: "\(number)", address: "127.0.0.1:\(number + 1)")
            let shards = (0..<PartyShard.count).filter { $0 % count == number }
            try await store.give(shards, of: first, to: other)
        }
        return first
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
