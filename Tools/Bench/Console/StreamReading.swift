internal import Foundation
internal import Glibc
internal import PushLoad
package import OptionParsing

/// `rangers-tools bench read-streams`: opens event streams and reads all that comes, so that a bench
/// has clients on a core of their own that cost little.
package struct StreamReading: Sendable {
    /// The server, and a file with a line for each stream: its path and its bearer token, separated
    /// by a tab.
    package struct Settings: Hashable, Sendable {
        package var port: UInt16
        package var listFile: String

        package init(port: UInt16, listFile: String) {
            self.port = port
            self.listFile = listFile
        }

        /// The arguments for `rangers-tools`.
        var arguments: [String] {
            ["bench", "read-streams", "--port", String(port), "--list", listFile]
        }

        /// Reads the values of `BenchOptions.readStreams`.
        package init(_ values: OptionValues) throws(OptionsError) {
            listFile = try values.required("list")
            port = UInt16(try values.integer("port", in: 1...65_535) ?? 0)
        }
    }

    /// Every line of the output is a total so far: streams with status 200, messages, bytes.
    struct Total: Hashable, Sendable {
        var open = 0
        var messages = 0
        var bytes = 0

        init() {}

        /// Reads the last whole line of the output; `nil`: there is none yet.
        init?(lastLineOf output: String) {
            guard let end = output.lastIndex(of: "\n") else { return nil }
            let words = output[..<end].split(separator: "\n").last?.split(separator: " ") ?? []
            let numbers = words.compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            (open, messages, bytes) = (numbers[0], numbers[1], numbers[2])
        }
    }

    private static let bufferBytes = 256 * 1024
    /// How often a total is printed, in seconds.
    private static let totalSeconds = 0.25
    private static let mark = Array("event: ".utf8)

    private let settings: Settings

    package init(_ settings: Settings) { self.settings = settings }

    /// Reads until the process is ended. Blocks.
    package func run(say: (String) -> Void) throws {
        let text = try String(contentsOfFile: settings.listFile, encoding: .utf8)
        var waiting = text.split(separator: "\n").compactMap { line -> pollfd? in
            let parts = line.split(separator: "\t")
            guard parts.count == 2, let descriptor = open(parts[0], parts[1]) else { return nil }
            return pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard !waiting.isEmpty else { throw BenchError("no stream could be opened") }
        var total = Total()
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        var sayAt = Date()
        while true {
            poll(&waiting, nfds_t(waiting.count), 100)
            for index in waiting.indices where waiting[index].revents != 0 {
                let count = recv(waiting[index].fd, &buffer, buffer.count, 0)
                guard count > 0 else {
                    // It stays out of the next polls.
                    waiting[index].fd = -1
                    continue
                }
                Self.count(buffer[..<count], in: &total)
            }
            if sayAt.timeIntervalSinceNow < 0 {
                say("\(total.open) \(total.messages) \(total.bytes)\n")
                sayAt = Date(timeIntervalSinceNow: Self.totalSeconds)
            }
        }
    }

    /// A mark that two reads divide is not counted: of a thousand it is one.
    private static func count(_ bytes: ArraySlice<UInt8>, in total: inout Total) {
        total.bytes += bytes.count
        if bytes.starts(with: "HTTP/1.1 200".utf8) { total.open += 1 }
        bytes.withUnsafeBytes { bytes in
            var matched = 0
            for byte in bytes {
                if byte == mark[matched] {
                    matched += 1
                    guard matched == mark.count else { continue }
                    total.messages += 1
                    matched = 0
                } else {
                    // A beginning within a beginning does not occur.
                    matched = byte == mark[0] ? 1 : 0
                }
            }
        }
    }

    private func open(_ path: Substring, _ token: Substring) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = settings.port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = Array(
            "GET \(path) HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(token)\r\n\r\n".utf8)
        guard status == 0, send(descriptor, request, request.count, 0) == request.count else {
            return nil
        }
        return descriptor
    }
}
