internal import Glibc
internal import Isolation
internal import PushLoad

/// A bench's servers and clients, each on one core. They end with the bench.
final class PinnedProcesses: Sendable {
    /// Servers and clients use separate cores.
    enum Core: Int, Sendable {
        case server = 0
        case client = 1
    }

    private struct State {
        var running: [pid_t: PinnedProcess] = [:]
        var phase = Phase.open

        enum Phase {
            case open, abandoned
        }
    }

    private let state = Locked(State())

    /// Starts a program that runs until stopped.
    func start(
        _ program: String, _ arguments: [String], on core: Core, outputFile: String
    ) throws(BenchError) -> PinnedProcess {
        let process = try PinnedProcess(
            program, arguments, core: core.rawValue, outputFile: outputFile)
        let phase = state.withLock { state in
            state.running[process.id] = process
            return state.phase
        }
        guard phase == .abandoned else { return process }
        stop(process)
        throw BenchError("the bench was interrupted")
    }

    /// Runs a program to its end; blocks. Kills one that exceeds the time.
    func run(
        _ program: String, _ arguments: [String], on core: Core, outputFile: String,
        withinSeconds bound: Int
    ) throws(BenchError) -> PinnedProcess.End {
        let process = try start(program, arguments, on: core, outputFile: outputFile)
        return try end(process, withinSeconds: bound)
    }

    /// Waits for a program's end; blocks. Kills one that exceeds the time.
    func end(
        _ process: PinnedProcess, withinSeconds bound: Int
    ) throws(BenchError) -> PinnedProcess.End {
        defer { forget(process) }
        return try process.end(withinSeconds: bound)
    }

    /// Sends SIGTERM and waits for the end.
    func stop(_ process: PinnedProcess) {
        process.stop()
        forget(process)
    }

    /// Sends SIGKILL, as a crash: no shutdown, no flush.
    func kill(_ process: PinnedProcess) {
        process.kill()
        forget(process)
    }

    /// Ends all programs and starts no more; called when the bench is interrupted.
    func abandon() {
        let running = state.withLock { state in
            state.phase = .abandoned
            return Array(state.running.values)
        }
        for process in running { Glibc.kill(process.id, SIGTERM) }
    }

    private func forget(_ process: PinnedProcess) {
        state.withLock { $0.running[process.id] = nil }
    }
}
