/// The disk that keeps a data file: the machine's, or one that a simulation has made.
package struct Disk: Sendable {
    /// The machine's files, through SQLite's own calls.
    package static let machine = Disk(vfs: nil, calls: MachineFiles())

    /// The name under which SQLite knows the disk (`sqlite3_vfs`); `nil`: its default.
    let vfs: String?
    /// For what the store does beside SQLite.
    let calls: any FileCalls

    package init(vfs: String?, calls: any FileCalls) {
        self.vfs = vfs
        self.calls = calls
    }

    func exists(_ path: String) -> Bool { calls.status(of: path) != nil }

    /// Returns the folder of a file, with the slash at its end.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }
}

/// How a store waits. It throws when its task is cancelled.
package typealias StoreSleep = @Sendable (Duration) async throws -> Void
