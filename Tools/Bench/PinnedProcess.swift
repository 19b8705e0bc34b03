internal import Dispatch
internal import Glibc
internal import Programs
internal import PushLoad

/// A program pinned to one core, with its output in a file.
final class PinnedProcess: Sendable {
    /// How the program ended.
    struct End {
        let cpuSeconds: Double
        let output: String
    }

    private static let taskset = "/usr/bin/taskset"
    private let running: RunningProgram
    private let name: String
    private let outputFile: String

    /// Starts `program` with `taskset`; its standard error is ours.
    init(
        _ program: String, _ arguments: [String], core: Int, outputFile: String
    ) throws(BenchError) {
        name = program
        self.outputFile = outputFile
        let output = open(outputFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else {
            throw BenchError("\(outputFile) cannot be written: \(String(cString: strerror(errno)))")
        }
        defer { close(output) }
        var pinned = Program(Self.taskset, ["-c", String(core), program] + arguments)
        pinned.output = .descriptor(output)
        pinned.errors = .descriptor(STDERR_FILENO)
        do {
            running = try pinned.start()
        } catch {
            throw BenchError("\(error): run Scripts/setup bench")
        }
    }

    /// The program's own id, because `taskset` replaces itself by it.
    var id: pid_t { running.id }

    /// The output so far.
    var output: String { KernelFile.text(outputFile) ?? "" }

    /// Sends SIGTERM and waits for the end.
    func stop() {
        running.send(SIGTERM)
        _ = try? end(withinSeconds: 5)
    }

    /// Sends SIGKILL and waits for the end.
    func kill() {
        running.send(SIGKILL)
        running.waitForEnd()
    }

    /// Waits for the end; kills a process that exceeds the time.
    @discardableResult
    func end(withinSeconds bound: Int) throws(BenchError) -> End {
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
