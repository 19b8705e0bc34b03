internal import Glibc

/// The checks of the data file from outside: its rights, its size, its disk.
struct DoctorFile {
    /// With less than this a write may fail at any moment, in bytes.
    static let freeBytesMin: Int64 = 64 * 1024 * 1024
    /// The log beside the file shrinks to 64 MiB after each round; one this large does not.
    static let logBytesMax: Int64 = 512 * 1024 * 1024

    let path: String
    let probes: DoctorProbes

    func findings() -> [DoctorFinding] {
        guard let file = probes.file(path) else {
            return [
                DoctorFinding(
                    "file", .warning, "there is no \(path)",
                    action: "rangers serve creates it; name the right one if it should exist"),
                diskFinding(fileBytes: 0),
            ]
        }
        return [fileFinding(file), logFinding(), diskFinding(fileBytes: file.bytes)]
    }

    private func fileFinding(_ file: DoctorProbes.File) -> DoctorFinding {
        guard !file.isOpenToOthers else {
            return DoctorFinding(
                "file", .problem, "others can read \(path), which contains push tokens",
                action: "chmod 600 \(path)*")
        }
        return DoctorFinding("file", .ok, "\(path), \(file.bytes.inMebibytes)")
    }

    private func logFinding() -> DoctorFinding {
        guard !probes.padsCommits(path) else {
            return DoctorFinding(
                "log", .problem,
                """
                SQLite pads each commit in \(path)-wal, so that the log can look damaged after a \
                power cut, and the server refuses to start
                """,
                action: """
                    use Debian's libsqlite3-0, or build SQLite with SQLITE_POWERSAFE_OVERWRITE=1
                    """)
        }
        let bytes = probes.file(path + "-wal")?.bytes ?? 0
        guard bytes <= Self.logBytesMax else {
            return DoctorFinding(
                "log", .warning, "\(path)-wal has \(bytes.inMebibytes)",
                action: "another program keeps reading the file: end it to let the log shrink")
        }
        return DoctorFinding("log", .ok, bytes.inMebibytes)
    }

    private func diskFinding(fileBytes: Int64) -> DoctorFinding {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard let free = probes.freeBytes(folder) else {
            return DoctorFinding(
                "disk", .problem, "the folder \(folder) cannot be examined",
                action: "create it, owned by the server's user")
        }
        let text = "\(free.inMebibytes) free in \(folder)"
        guard free >= Self.freeBytesMin else {
            return DoctorFinding("disk", .problem, text, action: "free some space now")
        }
        guard free >= fileBytes else {
            return DoctorFinding(
                "disk", .warning, "\(text), less than the file's size",
                action: "a backup needs as much space as the file")
        }
        return DoctorFinding("disk", .ok, text)
    }
}

extension Int64 {
    /// The bytes for a reader: "12 MiB".
    fileprivate var inMebibytes: String {
        self < 1024 * 1024 ? "\((self + 1023) / 1024) KiB" : "\(self / (1024 * 1024)) MiB"
    }
}
