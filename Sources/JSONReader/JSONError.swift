/// The position at which a text stops being valid JSON (RFC 8259).
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The byte offset, from 0.
    package let offset: Int
    /// What is expected there.
    package let expected: String

    /// "byte 17 should be a colon": never the text itself.
    package var description: String { "byte \(offset) should be \(expected)" }
}
