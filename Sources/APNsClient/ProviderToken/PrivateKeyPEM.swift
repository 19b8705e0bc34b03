internal import Glibc

/// The text of Apple's .p8 key file. Prints redacted.
public struct PrivateKeyPEM: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    package let text: String

    /// Wraps the file's contents.
    public init(_ text: String) { self.text = text }

    /// Reads the file; refuses one that others than its owner can read.
    public init(file path: String) throws(APNsConfigurationError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        defer { close(descriptor) }
        // Checks the open file, because the path may point to another one a moment later.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path, errno) }
        guard status.st_mode & 0o077 == 0 else {
            throw .unusable("the key file \(path) can be read by others: chmod 600 it")
        }
        let bytes = try Self.content(of: descriptor, path)
        guard bytes.count <= Self.bytesMax, let text = String(validating: bytes, as: UTF8.self)
        else {
            throw .unusable(
                "the file \(path) is not a key: give the .p8 file from Apple's developer site as it is"
            )
        }
        self.text = text
    }

    /// Reads all of it, or more than a key's size. A pipe delivers it in pieces.
    private static func content(
        of descriptor: Int32, _ path: String
    ) throws(APNsConfigurationError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: bytesMax)
        while bytes.count <= bytesMax {
            let count = read(descriptor, &piece, piece.count)
            if count == 0 { break }
            if count > 0 {
                bytes += piece[..<count]
            } else if errno != EINTR {
                throw unreadable(path, errno)
            }
        }
        return bytes
    }

    private static func unreadable(_ path: String, _ code: Int32) -> APNsConfigurationError {
        .unusable("the key file \(path) cannot be read: \(String(cString: strerror(code)))")
    }

    /// Apple's files have about 260 bytes.
    private static let bytesMax = 16_384

    /// A placeholder for the key.
    public var description: String { "<private key>" }
    /// A placeholder for the key.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows no key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
