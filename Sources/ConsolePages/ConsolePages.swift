/// The pages of the console and of the browser phone: the files of `Web`, embedded by the plugin
/// EmbedFiles.
package enum ConsolePages {
    /// One file, with its path in `Web`, such as "console/index.html".
    package struct File: Sendable {
        package let path: String
        package let text: String
    }

    /// All files, in the order of their paths.
    package static let files = embeddedFiles.map { File(path: $0.path, text: $0.text) }
}
