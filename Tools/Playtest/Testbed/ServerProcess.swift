internal import Foundation
internal import Isolation
internal import Programs

/// The real server as a separate process that can be killed: `rangers serve` with settings.
package final class ServerProcess: Sendable {
    private struct State {
        var process: RunningProgram?
        /// Nothing is written to it. It closes when this process ends, and ends the server.
        var input: FileHandle?
        var starts = 0
        /// 0: chosen by the system at the first start, and kept for later ones.
        var port = 0
    }

    private let executable: String
    private let arguments: [String]
    private let logFile: String
    /// Polls of the log, 20 ms apart, before a start has failed.
    private static let pollsMax = 1500
    /// Polls, 20 ms apart, before a server that does not stop is killed.
    private static let stopPollsMax = 750
    private let state = Locked(State())

    /// Creates a process that is not started. `logFile` receives the output of all its runs. Port
    /// 0: one that is free, and another one if it begins anew in the same process.
    package init(executable: String, arguments: [String], logFile: String, port: Int = 0) {
        state.withLock { $0.port = port }
        self.executable = executable
        self.arguments = arguments
        self.logFile = logFile
    }

    /// The number of starts.
    package var starts: Int { state.withLock { $0.starts } }

    /// The process's id; `nil` before the first start.
    package var id: Int32? { state.withLock { $0.process?.id } }

    package var isRunning: Bool { state.withLock { $0.process?.isRunning ?? false } }

    /// Starts the server; returns its port when it is ready. Cancelling does not shorten this,
    /// because a half-started server could not be stopped cleanly.
    @discardableResult
    package func start() async throws -> Int {
        let known = state.withLock { $0.port }
        let alreadyLogged = readyPorts().count
        try launch(port: known)
        for _ in 0..<Self.pollsMax {
            if let port = readyPorts().dropFirst(alreadyLogged).last {
                state.withLock { $0.port = port }
                return port
            }
            guard isRunning else { break }
            await pause(milliseconds: 20)
        }
        kill()
        throw TestbedError.serverDidNotStart(log: logFile, lastLine: logLines().last ?? "")
    }

    private func launch(port: Int) throws {
        var program = Program(
            executable,
            [
                "serve", "--stop-with-input", "--listen", "127.0.0.1:\(port)",
                "--trusted-clients", "127.0.0.1",
            ] + arguments)
        let input = Pipe()
        let log = try Self.openLog(logFile)
        program.input = .descriptor(input.fileHandleForReading.fileDescriptor)
        program.output = .descriptor(log.fileDescriptor)
        program.errors = .descriptor(log.fileDescriptor)
        let process = try program.start()
        state.withLock { state in
            state.process = process
            state.input = input.fileHandleForWriting
            state.starts += 1
        }
    }

    /// Sends SIGKILL: no shutdown, no flush.
    package func kill() { send(SIGKILL) }

    /// Kills the server and restarts it on the same files, also after it has died by itself.
    package func restart() async throws {
        kill()
        while isRunning { await pause(milliseconds: 5) }
        try await start()
    }

    /// Waits by polling, because waiting for a process would block a thread. It continues in a
    /// cancelled task.
    private func pause(milliseconds: Int) async {
        // The caller waits for it.
        await Task { try? await Task.sleep(for: .milliseconds(milliseconds)) }.value
    }

    /// Sends a signal to the server.
    package func send(_ signal: Int32) { state.withLock { $0.process }?.send(signal) }

    /// Sends SIGTERM, and SIGKILL if the server does not stop in time. Returns the exit code, or
    /// the number of the signal that ended the server; -1 when it never ran.
    package func stop() async -> Int32 {
        send(SIGTERM)
        return await stopped()
    }

    /// Waits for the end of a server that has got SIGTERM, as `stop` does: a second one would end it
    /// at once.
    func stopped() async -> Int32 {
        for _ in 0..<Self.stopPollsMax where isRunning {
            await pause(milliseconds: 20)
        }
        if isRunning { kill() }
        return state.withLock { $0.process }?.waitForEnd().code ?? -1
    }

    /// Returns the ports of all "ready" lines in the log, in order.
    private func readyPorts() -> [Int] {
        struct Line: Decodable {
            let listen: String
        }
        return logLines().compactMap { line in
            // Most lines do not concern listening.
            guard let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)),
                let port = line.listen.split(separator: ":").last
            else { return nil }
            return Int(port)
        }
    }

    private func logLines() -> [String] {
        let text = FileManager.default.contents(atPath: logFile) ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func openLog(_ path: String) throws -> FileHandle {
        // Appends, so that an earlier run's server that is still ending is not overwritten.
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestbedError.cannotWrite(path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
