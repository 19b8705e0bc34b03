internal import Glibc

/// A file operation that failed, with the system's reason.
struct FileFailure: Error, CustomStringConvertible {
    /// The system's number of the reason.
    let code: Int32
    let description: String

    /// Takes the reason from `errno`.
    init(_ operation: String, _ path: String) {
        code = errno
        description = "\(path) could not be \(operation): \(String(cString: strerror(code)))"
    }
}
