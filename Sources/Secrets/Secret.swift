/// Text that must never appear in a log, an error or a metric (PR17). Prints as `<secret>`.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The text itself, for the wire and for hashing only.
    package let revealed: String

    package init(_ text: String) { revealed = text }

    package var description: String { "<secret>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Compares in constant time, regardless of how much is equal.
    package func equals(_ other: Secret) -> Bool {
        let left = Digest.sha256(revealed.utf8)
        let right = Digest.sha256(other.revealed.utf8)
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
