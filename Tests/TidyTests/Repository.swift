import Foundation

/// The files of the repository that these tests stand in.
enum Repository {
    /// Three folders above this file.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What a server runs, what people run against it, and what SwiftPM runs to build it.
    static let sources =
        swiftFiles(under: "Sources") + swiftFiles(under: "Tools") + swiftFiles(under: "Plugins")
    static let tests = swiftFiles(under: "Tests")

    /// Every document in Markdown, by its path.
    static let documents: [(path: String, text: String)] = paths(under: "")
        .filter { $0.hasSuffix(".md") }.map { ($0, text(of: $0)) }

    /// What is not built, fetched or written by a run, in the order of the paths.
    static func paths(under folder: String) -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        let start = folder.isEmpty ? root : root.appending(path: folder)
        let skipped: Set = [".build", ".git", ".swiftpm", ".venv", "data", "__pycache__"]
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: start.path)) ?? []
        return entries.filter { !skipped.contains($0) }.sorted().flatMap { name in
            let path = prefix + name
            return isFolder(path) ? paths(under: path) : [path]
        }
    }

    static func text(of path: String) -> String {
        let data = (try? Data(contentsOf: root.appending(path: path))) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let full = root.appending(path: path).path
        return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    private static func swiftFiles(under folder: String) -> [SourceFile] {
        paths(under: folder).filter { $0.hasSuffix(".swift") }
            .map { SourceFile(path: $0, text: text(of: $0)) }
    }
}
