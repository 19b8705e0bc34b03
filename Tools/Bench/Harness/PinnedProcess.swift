internal import Dispatch
internal import Glibc
internal import Programs
internal import PushLoad

/// A program on one core, with its output in a file.
final class PinnedProcess: Sendable {
    /// Servers and clients use separate cores.
    enum Core: Sendable {
        case server, client
        /// All of the machine's.
        case any

        /// As `taskset` reads it.
        var list: String {
            switch self {
            case .server: "0"
            case .client: "1"
            case .any: "0-\(sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)"
            }
        }
    }

    /// How the program ended.
    struct End {
        let cpuSeconds: Double
        let output: String
    }

    let name: String
    private let running: RunningProgram
    private let outputFile: String

    /// Starts `program` with `taskset`; its standard error is ours.
    init(_ program: String, _ arguments: [String], on core: Core, outputFile: String)
        throws(BenchError)
    {
        name = program
        self.outputFile = outputFile
        let output = open(outputFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else {
            throw BenchError("\(outputFile) cannot be written: \(String(cString: strerror(errno)))")
        }
        defer { close(output) }
        var pinned = Program("/usr/bin/taskset", ["-c", core.list, program] + arguments)
        pinned.output = .descriptor(output)
        pinned.errors = .descriptor(STDERR_FILENO)
        do { running = try pinned.start() } catch {
            throw BenchError("\(error): run Scripts/setup bench")
        }
    }

    /// The program's own id, because `taskset` replaces itself by it.
    var id: pid_t { running.id }
    var output: String { KernelFile.text(outputFile) ?? "" }

    func terminate() { running.send(SIGTERM) }

    /// Sends SIGTERM and waits for the end: a node may first give its parties away for ten seconds.
    func stop() {
        terminate()
        _ = try? end(withinSeconds: 20)
    }

    /// Sends SIGKILL and waits for the end.
    func kill() {
        running.send(SIGKILL)
        running.waitForEnd()
    }

    /// Waits for the end; kills a process that exceeds the time.
    @discardableResult func end(withinSeconds bound: Int) throws(BenchError) -> End {
        let alarm = DispatchWorkItem { [running] in running.send(SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(bound), execute: alarm)
        let end = running.waitForEnd()
        alarm.cancel()
        guard end.code == 0 else {
            let code = end.code.map { "code \($0)" } ?? "an unknown code"
            throw BenchError("\(name) ended with \(code) instead of 0 (limit: \(bound) s)")
        }
        return End(cpuSeconds: end.cpuSeconds, output: output)
    }
}

/// A running server of a bench.
struct PinnedServer: Sendable {
    let port: UInt16
    let process: PinnedProcess

    /// The user and system time so far.
    var cpuSeconds: Double { Usage.cpuSeconds(of: process.id) ?? 0 }

    /// The resident set now.
    var residentBytes: Double { (Usage.residentKilobytes(of: process.id) ?? 0) * 1024 }
}
