import Foundation
import Programs

extension RunningProgram {
    /// The port that a server listens on which was started with port 0, from the kernel's tables.
    func listeningPort() async throws -> UInt16 {
        let folder = "/proc/\(id)"
        for _ in 0..<Self.looksMax where isRunning {
            let inodes = Self.sockets(in: "\(folder)/fd")
            let table = Self.whole("\(folder)/net/tcp")
            for line in table.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                // Local address, state (0A listens) and inode.
                guard fields.count > 9, fields[3] == "0A", inodes.contains(String(fields[9])),
                    let port = fields[1].split(separator: ":").last.flatMap({
                        UInt16($0, radix: 16)
                    })
                else { continue }
                return port
            }
            await Task.yield()
        }
        throw StartFailure()
    }

    private struct StartFailure: Error {}

    /// Looks into the kernel's tables until a server that starts must listen.
    private static var looksMax: Int { 100_000 }

    /// All of a kernel's file, which says that it has no bytes and comes page by page.
    private static func whole(_ path: String) -> String {
        let data = try? FileHandle(forReadingAtPath: path)?.readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    private static func sockets(in folder: String) -> Set<String> {
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.compactMap { name in
                guard
                    let target = try? manager.destinationOfSymbolicLink(
                        atPath: "\(folder)/\(name)"),
                    target.hasPrefix("socket:[")
                else { return nil }
                return String(target.dropFirst("socket:[".count).dropLast())
            })
    }
}
