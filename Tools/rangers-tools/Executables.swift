internal import Foundation

/// The programs that the tools start.
enum Executables {
    /// This program.
    static let tools = Bundle.main.executablePath ?? CommandLine.arguments[0]

    /// `rangers`, built in the same folder.
    static let rangers = URL(fileURLWithPath: tools).deletingLastPathComponent()
        .appending(path: "rangers").path
}
