import Foundation

/// What a file and SQLite's files beside it hold, as text that can be searched.
enum FileBytes {
    static func of(_ path: String) throws -> String {
        let files = [path, path + "-wal"].filter { FileManager.default.fileExists(atPath: $0) }
        return try files.map { file in
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        }.joined()
    }

    /// Writes another text of the same length wherever the file holds this one; returns how often.
    static func replace(_ text: String, with other: String, in path: String) throws -> Int {
        let file = URL(fileURLWithPath: path)
        let bytes = Array(try Data(contentsOf: file))
        let places = bytes.ranges(of: Array(text.utf8))
        var damaged = bytes
        for place in places { damaged.replaceSubrange(place, with: Array(other.utf8)) }
        precondition(damaged.count == bytes.count, "\(other) is longer or shorter than \(text)")
        try Data(damaged).write(to: file)
        return places.count
    }
}
