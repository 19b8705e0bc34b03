internal import GameLogic
internal import HTTPServer
internal import PushPolicy

/// Checks of texts from clients.
enum Text {
    /// Returns the text without white space at its ends. It must have 1 to `limit` characters, none
    /// of them a control character.
    static func name(_ text: String, field: String, limit: Int) throws(Problem) -> String {
        let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        let trimmed = String(
            String.UnicodeScalarView(
                scalars.reversed().drop { $0.properties.isWhitespace }.reversed()))
        guard (1...limit).contains(trimmed.count), trimmed.utf8.count <= 8 * limit else {
            throw Problem.badRequest("The field \"\(field)\" must have 1 to \(limit) characters.")
        }
        let isPlain = trimmed.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
            // Marks that change the direction of text could disguise an alert. The joiner of emoji
            // belongs to the same category, and is allowed.
            case .format: scalar == "\u{200D}"
            default: true
            }
        }
        guard isPlain else {
            throw Problem.badRequest(
                "The field \"\(field)\" contains characters that cannot be displayed.")
        }
        return trimmed
    }

    /// Returns the text, which must be exactly one emoji.
    static func emoji(_ text: String, field: String) throws(Problem) -> String {
        guard text.count == 1, let character = text.first,
            let first = character.unicodeScalars.first,
            text.utf8.count <= 8 * Hero.avatarLengthMax,
            first.properties.isEmojiPresentation
                || (first.properties.isEmoji && character.unicodeScalars.count > 1)
        else { throw Problem.badRequest("The field \"\(field)\" must be one emoji.") }
        return text
    }

    /// Checks an id, which appears in URLs and logs: 1 to `limit` letters, digits, dots, dashes or
    /// underscores.
    static func identifier(_ text: String, field: String, limit: Int) throws(Problem) -> String {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard allowed, (1...limit).contains(text.utf8.count) else {
            throw Problem.badRequest(
                "The \(field) must have 1 to \(limit) letters, digits, dots, dashes or underscores."
            )
        }
        return text
    }

    /// In bytes of the token. Apple states no size; Live Activities' tokens have been near 80.
    static let tokenBytesMax = 512
    static let osVersionLengthMax = 20

    /// Parses a push token in lower-case hex (T7).
    static func pushToken(_ text: String, field: String) throws(Problem) -> PushToken {
        let isHex = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard isHex, text.utf8.count.isMultiple(of: 2),
            (1...tokenBytesMax).contains(text.utf8.count / 2)
        else {
            throw Problem.badRequest(
                "The field \"\(field)\" must be 1 to \(tokenBytesMax) bytes in lower-case hex.")
        }
        return PushToken(hex: text)
    }

    /// Parses a version such as "18.1".
    static func osVersion(_ text: String) throws(Problem) -> String {
        try identifier(text, field: "osVersion", limit: osVersionLengthMax)
    }
}
