internal import Foundation

/// Stops a server whose playtest was killed: nobody else would.
///
/// A shell waits for its standard input to end, which happens when this process does, however it
/// ends; then it sends the server SIGTERM.
final class Watchdog: Sendable {
    private let shell = Process()
    private let leash = Pipe()

    init(over server: Int32) throws {
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Ctrl-C reaches the whole terminal; the watchdog goes when it is told to.
        shell.arguments = ["-c", "trap '' INT; read -r _; kill -TERM \"$1\"", "sh", "\(server)"]
        shell.standardInput = leash
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
    }

    /// The server has ended: its number may become somebody else's.
    func dismiss() { shell.terminate() }
}
