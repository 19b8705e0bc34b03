internal import Dispatch
internal import Foundation
internal import Glibc
internal import PushLoad

/// A program that runs on one core alone, with its output in a file.
final class PinnedProcess: Sendable {
    /// What the kernel says of a process that has ended.
    struct End {
        let cpuSeconds: Double
        let output: String
    }

    /// As `taskset` becomes the program, this is the program's own.
    let id: pid_t
    private let name: String
    private let outputFile: String

    /// Starts `program` by `taskset`; its standard error is ours.
    init(
        _ program: String, _ arguments: [String], core: Int, outputFile: String
    ) throws(BenchError) {
        name = program
        self.outputFile = outputFile
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, outputFile, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let words = CStrings(["taskset", "-c", String(core), program] + arguments)
        // Programs are found by PATH, and so are their libraries.
        let variables = CStrings(
            ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        var id: pid_t = 0
        let status = posix_spawnp(
            &id, "taskset", &actions, nil, words.pointers, variables.pointers)
        guard status == 0 else {
            throw BenchError(
                "taskset cannot be started (\(String(cString: strerror(status)))): say "
                    + "Scripts/setup test")
        }
        self.id = id
    }

    /// What it has written so far.
    var output: String { KernelFile.text(outputFile) ?? "" }

    /// SIGTERM, and the end of it.
    func stop() {
        kill(id, SIGTERM)
        _ = try? end(withinSeconds: 5)
    }

    /// Waits for the end. A process that takes longer is killed.
    @discardableResult
    func end(withinSeconds bound: Int) throws(BenchError) -> End {
        let (id, name) = (id, name)
        let alarm = DispatchWorkItem { kill(id, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(bound), execute: alarm)
        var (status, usage) = (Int32(0), rusage())
        var waited: pid_t
        repeat { waited = wait4(id, &status, 0, &usage) } while waited < 0 && errno == EINTR
        alarm.cancel()
        guard waited == id, status == 0 else {
            throw BenchError(
                "\(name) ended with wait status \(status) (within \(bound) s it must end with 0)")
        }
        return End(cpuSeconds: Usage.seconds(of: usage), output: output)
    }
}

/// Texts as C wants a list of them, for as long as this lives.
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        pointers = texts.map { strdup($0) } + [nil]
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
