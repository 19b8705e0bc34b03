/// What a text that others read may consist of: each character is shown, none hides in another, and
/// none fills a line.
package enum DisplayedText {
    /// Of those above, below or around a letter, and of those beside it.
    package static let marksPerLetterMax = 3
    /// In one character that is no emoji.
    package static let scalarsPerCharacterMax = 8

    /// Why a text is not shown.
    package enum Fault: Hashable, Sendable {
        /// It has a character that is blank, invisible, or changes what is around it.
        case hidden
        case tooManyMarks(Int)
        case tooManyScalars(Int)
        /// It has a character with the width of many.
        case tooWide(Unicode.Scalar)
    }

    /// Returns the text in normalization form C, without white space at its ends and with one space
    /// for the blanks between.
    package static func tidied(_ text: String) -> String {
        var scalars = Array(text.composed.unicodeScalars)[...]
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        scalars = scalars.drop { $0.properties.isWhitespace }
        var tidy = String.UnicodeScalarView()
        for scalar in scalars {
            guard scalar.properties.generalCategory == .spaceSeparator else {
                tidy.append(scalar)
                continue
            }
            if tidy.last != " " { tidy.append(" ") }
        }
        return String(tidy)
    }

    /// Returns what is wrong with the text, if anything.
    package static func fault(in text: String) -> Fault? {
        let scalars = Array(text.unicodeScalars)
        var end = 0
        for character in text {
            let start = end
            end += character.unicodeScalars.count
            // One scalar hides nothing, whether Unicode recommends it or not.
            if end - start > 1, String(character).isRecommendedEmoji { continue }
            if let fault = fault(in: scalars, at: start..<end) { return fault }
        }
        return nil
    }

    // MARK: Characters

    private static func fault(in scalars: [Unicode.Scalar], at place: Range<Int>) -> Fault? {
        guard place.count <= scalarsPerCharacterMax else { return .tooManyScalars(place.count) }
        if place.count > 1, isEmoji(scalars[place.lowerBound]) {
            // Only a selector is beside it: what else joins an emoji may be invisible.
            let isText = place.count == 2 && scalars[place.lowerBound + 1] == textSelector
            return isText ? nil : .hidden
        }
        for index in place {
            guard isShown(scalars, at: index) else { return .hidden }
            if isWide(scalars[index]) { return .tooWide(scalars[index]) }
        }
        let marks = marksPerLetter(scalars[place])
        return marks > marksPerLetterMax ? .tooManyMarks(marks) : nil
    }

    /// Returns the most marks that a letter has, above, below and around it, or beside it: Burmese
    /// has two of each.
    private static func marksPerLetter(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        var (most, stacked, beside) = (0, 0, 0)
        for scalar in scalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: stacked += 1
            case .spacingMark: beside += 1
            // Joiners.
            case .format: break
            default: (stacked, beside) = (0, 0)
            }
            most = max(most, stacked, beside)
        }
        return most
    }

    /// Shows an emoji as a text.
    private static let textSelector: Unicode.Scalar = "\u{FE0E}"

    /// Whether it is an emoji by itself: digits are emoji only as part of a keycap.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && scalar.value > 0x7F
    }

    // MARK: Scalars

    /// Whether the scalar is visible here, or joins its neighbours as their script requires.
    private static func isShown(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        let scalar = scalars[index]
        let before = index > 0 ? scalars[index - 1] : nil
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalar.value {
        case 0x200C: return isJoined(before) && isJoined(after)
        case 0x200D: return isJoined(before)
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF:
            return before?.properties.isIdeographic == true
        default: return isVisible(scalar, behind: before)
        }
    }

    private static func isVisible(
        _ scalar: Unicode.Scalar, behind before: Unicode.Scalar?
    ) -> Bool {
        guard !scalar.properties.isDefaultIgnorableCodePoint, scalar.value != brailleBlank else {
            return false
        }
        switch scalar.properties.generalCategory {
        // Marks that change the direction of text, among others, could disguise an alert.
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .surrogate:
            return false
        // Without a letter it would attach to the text before, or to nothing.
        case .nonspacingMark, .enclosingMark, .spacingMark:
            return before?.properties.isWhitespace == false
        default: return true
        }
    }

    private static let brailleBlank: UInt32 = 0x2800

    /// Whether it is as wide as many letters. Fonts show which are: Noto's ﷽ takes seven ems.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case cuneiform, longDashes: true
        case arabicLigatures:
            // Symbols are whole phrases; so is what stands for more letters than a word.
            scalar.properties.generalCategory == .otherSymbol
                || String(scalar).compatible.unicodeScalars.count > lettersPerLigatureMax
        default: false
        }
    }

    private static let cuneiform: ClosedRange<UInt32> = 0x12000...0x1254F
    /// Of two and three ems.
    private static let longDashes: ClosedRange<UInt32> = 0x2E3A...0x2E3B
    private static let arabicLigatures: ClosedRange<UInt32> = 0xFB50...0xFDFF
    private static let lettersPerLigatureMax = 4

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

extension DisplayedText.Fault: CustomStringConvertible {
    /// What a text does: "has characters that cannot be shown".
    package var description: String {
        switch self {
        case .hidden: "has characters that cannot be shown"
        case .tooManyMarks(let count):
            "may have at most \(DisplayedText.marksPerLetterMax) marks on a letter; one has \(count)"
        case .tooManyScalars(let count):
            "may have at most \(DisplayedText.scalarsPerCharacterMax) Unicode scalars in a character; "
                + "one has \(count)"
        case .tooWide(let scalar):
            "has a character as wide as a line: U+\(String(scalar.value, radix: 16, uppercase: true))"
        }
    }
}
