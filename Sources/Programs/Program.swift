internal import CLinux
internal import Glibc

/// Another program: what to start, with what, and where its words go.
///
/// Not Foundation's `Process`: that one looks for open descriptors in a way that reads past a
/// buffer when there are more than some 1,350 of them, and crashes where nothing is behind it.
package struct Program: Sendable {
    /// Where a standard stream of a program leads.
    package enum Stream: Hashable, Sendable {
        /// Nothing is read there, and what is written is lost.
        case nowhere
        /// A descriptor of ours; it stays ours to close.
        case descriptor(Int32)
    }

    /// An absolute path.
    package var path: String
    package var arguments: [String]
    /// `nil`: the same as ours.
    package var environment: [String: String]?
    package var input = Stream.nowhere
    package var output = Stream.nowhere
    package var errors = Stream.nowhere

    package init(_ path: String, _ arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    /// Whether there is such a file, and we may run it.
    package static func isInstalled(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Starts it, with no other descriptor of ours than its streams, no signal blocked, and
    /// SIGPIPE as deadly as usual.
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

    /// Our own environment, as "NAME=value".
    private static func ownVariables() -> [String] {
        var texts: [String] = []
        while let text = environ[texts.count] { texts.append(String(cString: text)) }
        return texts
    }

    /// Threads of ours may block signals, and a child would inherit that.
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

/// Why a program could not be started or heard.
package struct ProgramError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Texts as C wants a list of them, for as long as this lives.
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }

    deinit { pointers.forEach { free($0) } }
}
