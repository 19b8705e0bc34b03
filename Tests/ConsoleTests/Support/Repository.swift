import Foundation

/// The files of the project, and the folder for the pictures that tests make.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: root.appending(path: path))
    }

    /// Returns a script of this module, to run inside a page.
    static func script(_ name: String) throws -> String {
        String(decoding: try data("Tests/ConsoleTests/Scripts/\(name)"), as: UTF8.self)
    }

    /// Keeps a picture for a person to look at: below `CONSOLE_SHOTS`, or `.build/console-shots`.
    static func keep(_ picture: [UInt8], as name: String) throws {
        let chosen = ProcessInfo.processInfo.environment["CONSOLE_SHOTS"].map { URL(filePath: $0) }
        let folder = chosen ?? root.appending(path: ".build/console-shots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(picture).write(to: folder.appending(path: name + ".png"))
    }
}
