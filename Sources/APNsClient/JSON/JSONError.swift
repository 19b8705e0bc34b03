/// Where a text stops being JSON (RFC 8259).
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The byte, from 0.
    package let offset: Int
    /// What should stand there.
    package let expected: String

    /// "byte 17 should be a colon": never the text itself.
    package var description: String { "byte \(offset) should be \(expected)" }
}
