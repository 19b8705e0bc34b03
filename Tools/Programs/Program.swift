internal import CLinux
internal import Dispatch
internal import Glibc

/// A program to start, with its arguments, environment and streams.
///
/// Foundation's `Process` is not used: it looks for open descriptors in a way that reads past a
/// buffer when there are more than about 1,350 of them, and may crash.
package struct Program: Sendable {
    /// The destination of a program's standard stream.
    package enum Stream: Hashable, Sendable {
        /// Input is empty, and output is discarded.
        case nowhere
        /// A descriptor of ours, which the caller closes.
        case descriptor(Int32)
    }

    /// An absolute path.
    package var path: String
    package var arguments: [String]
    /// `nil`: our environment.
    package var environment: [String: String]?
    package var input = Stream.nowhere
    package var output = Stream.nowhere
    package var errors = Stream.nowhere

    package init(_ path: String, _ arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    /// Returns whether the file exists and is executable.
    package static func isInstalled(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Starts the program. It inherits no descriptor except its streams, blocks no signal, and has
    /// the default action for SIGPIPE.
    package func start() throws(ProgramError) -> RunningProgram {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, number) in [
            (input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO),
        ] {
            switch stream {
            case .nowhere:
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .descriptor(let descriptor):
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = Self.plainSignals()
        defer { posix_spawnattr_destroy(&attributes) }
        let words = CStrings([path] + arguments)
        let variables = CStrings(environment?.map { "\($0)=\($1)" } ?? Self.ownVariables())
        var id: pid_t = 0
        let status = posix_spawn(
            &id, path, &actions, &attributes, words.pointers, variables.pointers)
        guard status == 0 else {
            throw ProgramError("\(path) cannot be started: \(String(cString: strerror(status)))")
        }
        return RunningProgram(id: id)
    }

    /// Returns our environment, as "NAME=value".
    private static func ownVariables() -> [String] {
        var texts: [String] = []
        while let text = environ[texts.count] { texts.append(String(cString: text)) }
        return texts
    }

    /// Resets the signals: our threads may block some, and a child would inherit that.
    private static func plainSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        var (none, piped) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&piped)
        sigaddset(&piped, SIGPIPE)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &piped)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }
}

/// Why a program could not be started, or its output not be read.
package struct ProgramError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Strings in a C array, valid for the object's lifetime.
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }

    deinit { pointers.forEach { free($0) } }
}

extension Program {
    /// A program's output, and how it ended.
    package struct Printed: Sendable {
        package let text: String
        /// The exit code, or the number of the signal that ended it; `nil`: unknown.
        package let end: Int32?
    }

    /// What to do with a program's standard error while its output is read.
    package enum Complaints: Sendable {
        case dropped, printed
    }

    /// Runs the program to its end. There is no timeout; the caller must ensure that it ends.
    package func printed(_ complaints: Complaints = .dropped) async throws -> Printed {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ProgramError("no pipe for \(path): \(String(cString: strerror(errno)))")
        }
        let (reading, writing) = (ends[0], ends[1])
        var program = self
        program.output = .descriptor(writing)
        switch complaints {
        case .dropped: program.errors = .nowhere
        case .printed: program.errors = .descriptor(writing)
        }
        let running: RunningProgram
        do {
            defer { close(writing) }
            running = try program.start()
        } catch {
            close(reading)
            throw error
        }
        return await withCheckedContinuation { continuation in
            // It blocks until the program ends, so it uses its own queue.
            DispatchQueue(label: "words of a program").async {
                let text = Self.text(from: reading)
                close(reading)
                continuation.resume(returning: Printed(text: text, end: running.waitForEnd().code))
            }
        }
    }

    private static func text(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count > 0 { bytes += piece[..<count] }
            guard count > 0 || (count < 0 && errno == EINTR) else { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
