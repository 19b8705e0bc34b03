internal import Glibc
internal import Programs
internal import PushLoad

/// A running server of a bench, on one core.
struct PinnedServer: Sendable {
    let name: String
    let port: UInt16
    let process: PinnedProcess

    /// The user and system time so far.
    var cpuSeconds: Double { Usage.cpuSeconds(of: process.id) ?? 0 }

    /// The resident set now.
    var residentKilobytes: Double { Usage.residentKilobytes(of: process.id) ?? 0 }
}

extension PinnedProcesses {
    /// Polls, 20 ms apart, until a started server must listen: ten seconds.
    private static let pollsMax = 500

    /// Starts a server that prints its port, as `rangers-tools bench serve` does; blocks.
    func serve(
        _ name: String, _ program: String, _ arguments: [String], on core: Core = .server,
        outputFile: String
    ) throws(BenchError) -> PinnedServer {
        let process = try start(program, arguments, on: core, outputFile: outputFile)
        let port = try poll(process, "\(name) did not print its port within 10 seconds") {
            // "port 40123"
            let words = process.output.split { $0 == " " || $0 == "\n" }
            return words.count == 2 ? UInt16(words[1]) : nil
        }
        return PinnedServer(name: name, port: port, process: process)
    }

    /// Starts a server on core 0 that listens on this port; blocks.
    func serve(
        _ name: String, _ program: String, _ arguments: [String], port: UInt16, outputFile: String
    ) throws(BenchError) -> PinnedServer {
        let process = try start(program, arguments, on: .server, outputFile: outputFile)
        let port = try poll(process, "\(name) did not listen within 10 seconds") {
            LoopbackPort.isOpen(port) ? port : nil
        }
        return PinnedServer(name: name, port: port, process: process)
    }

    func stop(_ server: PinnedServer) { stop(server.process) }

    private func poll(
        _ process: PinnedProcess, _ failure: String, until port: () -> UInt16?
    ) throws(BenchError) -> UInt16 {
        for _ in 0..<Self.pollsMax {
            if let port = port() { return port }
            usleep(20_000)
        }
        stop(process)
        throw BenchError(failure)
    }
}
