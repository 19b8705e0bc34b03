internal import Foundation
internal import Glibc
internal import Isolation
internal import Playtest
internal import Programs
internal import PushLoad

/// The programs that a bench measures and starts, by their paths.
package struct BenchPrograms: Sendable {
    let rangers: String
    let tools: String
    let pushLoad: String

    /// Creates the paths of programs in the same folder.
    package init(folder: String) {
        (rangers, tools) = (folder + "/rangers", folder + "/rangers-tools")
        pushLoad = folder + "/push-load"
    }
}

/// A bench's programs, each on its core, and their files. All end with the bench.
final class BenchTestbed: Sendable {
    private struct State {
        var running: [pid_t: PinnedProcess] = [:]
        var isAbandoned = false
    }

    /// The sources of references, from the working directory of Scripts/bench.
    private static let sources = "Scripts/bench-references"
    private static let runSeconds = 900
    /// Polls, 20 ms apart, until a started server must listen: ten seconds.
    private static let pollsMax = 500

    let programs: BenchPrograms
    let folder: TestbedFolder
    private let state = Locked(State())

    /// - Throws: When the references' sources are not where Scripts/bench finds them.
    init(_ programs: BenchPrograms) throws {
        guard FileManager.default.fileExists(atPath: Self.sources) else {
            throw BenchError("there is no \(Self.sources): start the bench by Scripts/bench")
        }
        self.programs = programs
        folder = try TestbedFolder(nil)
    }

    deinit { folder.removeIfTemporary() }

    var path: String { folder.path }
    /// Where the simulator's certificates and its provider key are.
    var keysFolder: String { folder.simulator }

    /// The path of a file that nothing uses.
    func newFile(_ ending: String = "") -> String { path + "/\(UUID().uuidString)\(ending)" }

    /// Writes lines to a new file; returns its path.
    func write(lines: [String]) throws -> String {
        let file = newFile()
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Calls the body with a new database's path, and removes its files.
    func withDatabaseFile<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let file = newFile(".db")
        defer {
            for ending in ["", "-wal", "-shm"] {
                // What is left is removed with the folder.
                try? FileManager.default.removeItem(atPath: file + ending)
            }
        }
        return try await body(file)
    }

    // MARK: Programs

    /// Starts a program that runs until it is stopped.
    func start(_ program: String, _ arguments: [String], on core: PinnedProcess.Core)
        throws(BenchError) -> PinnedProcess
    {
        let process = try PinnedProcess(program, arguments, on: core, outputFile: newFile())
        let isAbandoned = state.withLock { state in
            state.running[process.id] = process
            return state.isAbandoned
        }
        guard isAbandoned else { return process }
        stop(process)
        throw BenchError("the bench was interrupted")
    }

    /// Runs a program to its end; blocks. Kills one that exceeds the time.
    func run(
        _ program: String, _ arguments: [String], on core: PinnedProcess.Core = .server,
        withinSeconds bound: Int = runSeconds
    ) throws(BenchError) -> PinnedProcess.End {
        try end(try start(program, arguments, on: core), withinSeconds: bound)
    }

    /// Waits for a program's end; blocks. Kills one that exceeds the time.
    func end(_ process: PinnedProcess, withinSeconds bound: Int = runSeconds) throws(BenchError)
        -> PinnedProcess.End
    {
        defer { forget(process) }
        return try process.end(withinSeconds: bound)
    }

    /// Sends SIGTERM and waits for the end.
    func stop(_ process: PinnedProcess) {
        process.stop()
        forget(process)
    }

    func stop(_ servers: PinnedServer...) { for server in servers { stop(server.process) } }

    /// Sends SIGKILL, as a crash: no shutdown, no flush.
    func kill(_ process: PinnedProcess) {
        process.kill()
        forget(process)
    }

    /// Ends all programs and starts no more.
    func abandon() {
        let running = state.withLock { state in
            state.isAbandoned = true
            return Array(state.running.values)
        }
        for process in running { process.terminate() }
    }

    private func forget(_ process: PinnedProcess) {
        state.withLock { $0.running[process.id] = nil }
    }

    // MARK: Servers

    /// Starts `rangers-tools bench serve`, which prints its port; blocks.
    func serve(_ settings: BenchServer.Settings, on core: PinnedProcess.Core = .server) throws
        -> PinnedServer
    {
        let process = try start(
            programs.tools, ["bench", "serve", try BenchArgument.text(settings)], on: core)
        return try poll(process) {
            // "port 40123"
            let words = process.output.split { $0 == " " || $0 == "\n" }
            return words.count == 2 ? UInt16(words[1]) : nil
        }
    }

    /// Starts a server that listens on this port of 127.0.0.1; blocks.
    func serve(_ program: String, _ arguments: [String], port: UInt16) throws(BenchError)
        -> PinnedServer
    {
        try poll(try start(program, arguments, on: .server)) {
            LoopbackPort.isOpen(port) ? port : nil
        }
    }

    private func poll(_ process: PinnedProcess, until port: () -> UInt16?) throws(BenchError)
        -> PinnedServer
    {
        for _ in 0..<Self.pollsMax {
            if let port = port() { return PinnedServer(port: port, process: process) }
            usleep(20_000)
        }
        stop(process)
        throw BenchError("\(process.name) did not listen within 10 seconds")
    }

    // MARK: References

    /// Returns the path of a reference's source, or of one that needs no build.
    func reference(_ name: String) -> String { Self.sources + "/" + name }

    /// Compiles a file in C with the optimisation of Debian's packages; returns the program.
    func buildC(_ name: String, libraries: [String], headers: [String] = []) async throws -> String
    {
        let program = newFile()
        try await build(
            .gcc,
            ["-O2", "-o", program, reference(name + ".c")] + headers.map { "-I\($0)" }
                + libraries.map { "-l\($0)" })
        return program
    }

    /// Compiles a file in Go that needs only Go's standard library: no network.
    func buildGo(_ name: String) async throws -> String {
        let program = newFile()
        try await build(.go, ["build", "-o", program, reference(name + ".go")])
        return program
    }

    private func build(_ tool: Tool, _ arguments: [String]) async throws {
        var program = Program(tool.file() ?? tool.rawValue, arguments)
        program.environment = ProcessInfo.processInfo.environment.merging([
            "GOCACHE": path + "/go", "GO111MODULE": "off",
        ]) { $1 }
        let printed = try await program.printed(.printed)
        guard printed.end == 0 else {
            throw BenchError("\(tool.rawValue) could not build a reference: \(printed.text)")
        }
    }
}
