internal import GameLogic
internal import HTTPServer
internal import UnicodeText

/// Checks names from clients, which others read on their Lock Screens.
enum DisplayName {
    /// In UTF-8: what the payload of a push has room for.
    static let bytesMax = 8 * Hero.heroTypeLengthMax

    /// Returns the text in normalization form C, without white space at its ends and with one space
    /// for the blanks between. It may have `limit` characters (grapheme clusters), each of which
    /// must be shown.
    static func checked(
        _ text: String, field: String, limit: Int, bytesMax: Int = bytesMax
    ) throws(Problem) -> String {
        let name = DisplayedText.tidied(text)
        guard (1...limit).contains(name.count) else {
            throw Problem.badRequest(
                "The field \"\(field)\" must have 1 to \(limit) characters; it has \(name.count).")
        }
        guard name.utf8.count <= bytesMax else {
            throw Problem.badRequest(
                "The field \"\(field)\" may have at most \(bytesMax) bytes in UTF-8; it has "
                    + "\(name.utf8.count).")
        }
        if let fault = DisplayedText.fault(in: name) {
            throw Problem.badRequest("The field \"\(field)\" \(fault).")
        }
        return name
    }
}
