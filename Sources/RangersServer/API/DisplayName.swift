internal import GameLogic
internal import HTTPServer
@_spi(_Unicode) internal import Swift

/// Checks names from clients, which others read on their Lock Screens: each character must be
/// shown, and nothing may look like something else.
enum DisplayName {
    /// In one character: the longest flags have 7, and most families of emoji.
    static let scalarsPerCharacterMax = 8
    /// In UTF-8: what the payload of a push has room for.
    static let bytesMax = 8 * Hero.heroTypeLengthMax

    /// Returns the text in normalization form C (UAX 15), without white space at its ends. It may
    /// have `limit` characters (grapheme clusters).
    static func checked(
        _ text: String, field: String, limit: Int, bytesMax: Int = bytesMax
    ) throws(Problem) -> String {
        var scalars = Array(text._nfc)
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        scalars = Array(scalars.drop { $0.properties.isWhitespace })
        var name = String.UnicodeScalarView()
        name.append(contentsOf: scalars)
        let checked = String(name)
        try checkLength(of: checked, field: field, limit: limit, bytesMax: bytesMax)
        guard scalars.indices.allSatisfy({ isShown(scalars, at: $0) }) else {
            throw Problem.badRequest(
                "The field \"\(field)\" has characters that cannot be shown.")
        }
        return checked
    }

    private static func checkLength(
        of name: String, field: String, limit: Int, bytesMax: Int
    ) throws(Problem) {
        guard (1...limit).contains(name.count) else {
            throw Problem.badRequest(
                "The field \"\(field)\" must have 1 to \(limit) characters; it has \(name.count).")
        }
        let longest = name.map(\.unicodeScalars.count).max() ?? 0
        guard longest <= scalarsPerCharacterMax else {
            throw Problem.badRequest(
                "Each character of the field \"\(field)\" may have at most "
                    + "\(scalarsPerCharacterMax) Unicode scalars; one has \(longest).")
        }
        guard name.utf8.count <= bytesMax else {
            throw Problem.badRequest(
                "The field \"\(field)\" may have at most \(bytesMax) bytes in UTF-8; it has "
                    + "\(name.utf8.count).")
        }
    }

    // MARK: Scalars

    /// Whether the scalar is visible here, or joins its neighbours as their script requires.
    private static func isShown(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        let scalar = scalars[index]
        let before = index > 0 ? scalars[index - 1] : nil
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalar.value {
        case 0x200C: return isJoined(before) && isJoined(after)
        case 0x200D: return isJoined(before) || (isEmojiEnd(before) && isEmoji(after))
        case 0xFE0F where before?.properties.isEmoji == true && !isEmoji(before):
            // A keycap: the digit, this selector, the key.
            return after?.value == 0x20E3
        case 0xFE0E, 0xFE0F: return isEmoji(before)
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF:
            return before?.properties.isIdeographic == true
        case tags: return isInFlag(before, scalar, after)
        default: return isVisible(scalar, isFirst: before == nil)
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        guard !scalar.properties.isDefaultIgnorableCodePoint, scalar.value != brailleBlank else {
            return false
        }
        switch scalar.properties.generalCategory {
        // Marks that change the direction of text, among others, could disguise an alert.
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .surrogate:
            return false
        // Without a letter it would attach to the text before the name.
        case .nonspacingMark, .enclosingMark: return !isFirst
        default: return true
        }
    }

    private static let brailleBlank: UInt32 = 0x2800

    // MARK: Emoji

    private static let blackFlag: UInt32 = 0x1F3F4
    /// Tags spell the region of a flag such as Scotland's; the last one ends it.
    private static let tags: ClosedRange<UInt32> = 0xE0020...0xE007F
    private static let tagEnd: UInt32 = 0xE007F

    private static func isInFlag(
        _ before: Unicode.Scalar?, _ scalar: Unicode.Scalar, _ after: Unicode.Scalar?
    ) -> Bool {
        guard let before else { return false }
        let follows = tags.contains(before.value) && before.value != tagEnd
        guard scalar.value != tagEnd else { return follows }
        return (follows || before.value == blackFlag) && after.map { tags ~= $0.value } == true
    }

    /// Whether it is an emoji by itself: digits are emoji only as part of a keycap.
    private static func isEmoji(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar.properties.isEmoji && scalar.value > 0x7F
    }

    private static func isEmojiEnd(_ scalar: Unicode.Scalar?) -> Bool {
        isEmoji(scalar) || scalar?.value == 0xFE0F || scalar?.value == tagEnd
    }

    // MARK: Scripts with joiners

    /// Arabic, Syriac and others to Myanmar and Mongolian: their letters change shape with their
    /// neighbours.
    private static let joiningScripts: [ClosedRange<UInt32>] = [
        0x0600...0x109F, 0x1780...0x18AF, 0xA840...0xA87F, 0xA8E0...0xABFF, 0xFB50...0xFDFF,
        0xFE70...0xFEFC, 0x11000...0x11FFF,
    ]

    /// Whether it is a letter or a mark of a script with joiners.
    private static func isJoined(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, joiningScripts.contains(where: { $0 ~= scalar.value }) else {
            return false
        }
        let properties = scalar.properties
        return properties.isAlphabetic || properties.generalCategory == .nonspacingMark
            || properties.generalCategory == .spacingMark
    }
}
