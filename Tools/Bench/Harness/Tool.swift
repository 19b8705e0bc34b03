internal import Foundation
internal import Glibc
internal import PushLoad

/// A program that a bench needs, and the Debian package that contains it.
enum Tool: String, CaseIterable, Sendable {
    case wrk, go, gcc, taskset, nginx, h2load

    var package: String {
        switch self {
        case .wrk: "wrk"
        case .go: "golang-go"
        case .gcc: "gcc"
        case .taskset: "util-linux"
        case .nginx: "nginx-light"
        case .h2load: "nghttp2-client"
        }
    }

    /// Checks that the tools are installed.
    ///
    /// - Parameters:
    ///   - tools: The tools of the bench.
    ///   - path: Folders separated by colons, as in `PATH`.
    /// - Throws: A sentence with every missing package.
    static func require(_ tools: [Tool], in path: String = searchPath) throws(BenchError) {
        let missing = tools.filter { $0.file(in: path) == nil }
        guard !missing.isEmpty else { return }
        let packages = missing.map(\.package).joined(separator: " ")
        throw BenchError(
            "\(missing.map(\.rawValue).joined(separator: ", ")) cannot be found: install Debian's "
                + "\(packages) (Scripts/setup bench)")
    }

    /// Returns the tool's path; `nil` if not found.
    func file(in path: String = searchPath) -> String? {
        path.split(separator: ":").map { "\($0)/\(rawValue)" }.first { access($0, X_OK) == 0 }
    }

    /// nginx's folder is often missing in the path of a user who is not root.
    private static var searchPath: String {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
            + ":/usr/sbin"
    }
}
