internal import Glibc

/// The text of Apple's .p8 key file. Prints redacted.
public struct PrivateKeyPEM: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    package let text: String

    /// Wraps the file's text.
    public init(_ text: String) { self.text = text }

    /// Reads the file; refuses one that every user of the machine could read.
    public init(file path: String) throws(APNsConfigurationError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        defer { close(descriptor) }
        // Of what was opened: the path may be another file's a moment later.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path, errno) }
        guard status.st_mode & S_IROTH == 0 else {
            throw .unusable("the key file \(path) can be read by every user: chmod 600 it")
        }
        var bytes = [UInt8](repeating: 0, count: Self.bytesMax + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw Self.unreadable(path, errno) }
        guard count <= Self.bytesMax, let text = String(validating: bytes[..<count], as: UTF8.self)
        else { throw .unusable("the key file \(path) is no text of a key") }
        self.text = text
    }

    private static func unreadable(_ path: String, _ code: Int32) -> APNsConfigurationError {
        .unusable("the key file \(path) cannot be read: \(String(cString: strerror(code)))")
    }

    /// Apple's files have some 260 bytes.
    private static let bytesMax = 16_384

    /// Never the key.
    public var description: String { "<private key>" }
    /// Never the key.
    public var debugDescription: String { description }
    /// Never the key: `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
