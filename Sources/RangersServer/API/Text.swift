internal import GameLogic
internal import HTTPServer
internal import PushPolicy
internal import UnicodeText

/// Checks of texts from clients.
enum Text {
    /// Returns the text, which must be exactly one emoji that keyboards have.
    static func emoji(_ text: String, field: String) throws(Problem) -> String {
        guard text.utf8.count <= 8 * Hero.avatarLengthMax, text.isRecommendedEmoji else {
            throw Problem.badRequest("The field \"\(field)\" must be one emoji.")
        }
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

    static let identifierLengthMax = 100
    static let identifierSchema = JSONSchema.pattern("^[A-Za-z0-9._-]{1,\(identifierLengthMax)}$")
    static let tokenSchema = JSONSchema.pattern("^([0-9a-f]{2}){1,\(tokenBytesMax)}$")
    static let osVersionSchema = JSONSchema.string(
        pattern: #"^[0-9]{1,4}(\.[0-9]{1,4}){0,3}$"#, lengths: 1...osVersionLengthMax)
    static let languageSchema = JSONSchema.string(
        pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", lengths: 2...languageLengthMax)
    static let emojiSchema = JSONSchema.string(pattern: nil, lengths: 1...8 * Hero.avatarLengthMax)

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

    /// Checks a version such as "18.1": one to four whole numbers.
    static func osVersion(_ text: String) throws(Problem) -> String {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        let areNumbers = numbers.allSatisfy { number in
            (1...4).contains(number.utf8.count)
                && number.utf8.allSatisfy(isDigit)
        }
        guard areNumbers, (1...4).contains(numbers.count),
            text.utf8.count <= osVersionLengthMax
        else {
            throw Problem.badRequest(
                "The field \"osVersion\" must be a version such as \"18.1\".")
        }
        return text
    }

    /// In letters and dashes of the tag (RFC 5646 section 4.4.1).
    static let languageLengthMax = 35

    /// Returns the catalog's language for a tag such as "ja-JP" (BCP 47); English for a well-formed
    /// tag of another language.
    static func language(_ text: String) throws(Problem) -> Language {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let areWellFormed = parts.enumerated().allSatisfy { index, part in
            // The first part is the language, of letters only.
            (index == 0 ? 2...8 : 1...8).contains(part.count)
                && part.allSatisfy { isLetter($0) || (index > 0 && isDigit($0)) }
        }
        guard areWellFormed, text.utf8.count <= languageLengthMax else {
            throw Problem.badRequest(
                "The field \"language\" must be a language tag such as \"ja\" or \"zh-Hans\".")
        }
        return Language(tag: text) ?? .english
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
