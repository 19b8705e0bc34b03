import Foundation

/// What a file and SQLite's files beside it hold, as text that can be searched.
enum FileBytes {
    static func of(_ path: String) throws -> String {
        let files = [path, path + "-wal"].filter { FileManager.default.fileExists(atPath: $0) }
        return try files.map { file in
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        }.joined()
    }
}
