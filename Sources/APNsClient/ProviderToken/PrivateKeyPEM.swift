internal import Foundation

/// The text of Apple's .p8 key file. Prints redacted.
public struct PrivateKeyPEM: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    package let text: String

    /// Wraps the file's text.
    public init(_ text: String) { self.text = text }

    /// Reads the file; refuses one that every user of the machine could read.
    public init(file path: String) throws(APNsConfigurationError) {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            if mode & 0o004 != 0 {
                throw APNsConfigurationError.unusable(
                    "the key file \(path) can be read by every user: chmod 600 it")
            }
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch let error as APNsConfigurationError {
            throw error
        } catch {
            throw .unusable(
                "the key file \(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// Never the key.
    public var description: String { "<private key>" }
    /// Never the key.
    public var debugDescription: String { description }
    /// Never the key: `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
