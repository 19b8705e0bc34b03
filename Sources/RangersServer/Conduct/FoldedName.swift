@_spi(_Unicode) internal import Swift

/// Names as they are compared with those that are not allowed: without the differences of case,
/// width, accents and look-alike digits, and without what stands between letters.
enum FoldedName {
    /// Returns the letters that a reader sees; empty when there are none.
    static func folded(_ name: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in narrowed(name)._nfd {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spacingMark, .format, .control,
                .spaceSeparator, .dashPunctuation, .connectorPunctuation, .otherPunctuation,
                .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation:
                if let letter = lookAlikes[scalar] { folded.append(letter) }
            default:
                let lower = scalar.properties.lowercaseMapping.unicodeScalars
                for one in lower { folded.append(lookAlikes[one] ?? one) }
            }
        }
        return String(folded)
    }

    /// Full-width letters and digits become ordinary ones, half-width kana the ordinary ones.
    private static func narrowed(_ name: String) -> String {
        var narrow = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if fullWidth.contains(scalar.value),
                let ordinary = Unicode.Scalar(scalar.value - fullWidthOffset)
            {
                narrow.append(ordinary)
            } else if halfWidth.contains(scalar.value) {
                narrow.append(kana[Int(scalar.value - halfWidth.lowerBound)])
            } else {
                narrow.append(scalar)
            }
        }
        return String(narrow)
    }

    private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E
    private static let fullWidthOffset: UInt32 = 0xFEE0
    /// From U+FF66, with the two voicing marks at the end.
    private static let halfWidth: ClosedRange<UInt32> = 0xFF66...0xFF9F
    private static let kana = Array(
        ("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノ"
            + "ハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}").unicodeScalars)

    /// Digits and signs that stand for letters; `l` and `i` look alike too.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "l": "i",
        "!": "i", "|": "i", "@": "a", "$": "s", "ß": "s", "€": "e", "ø": "o", "ı": "i", "ł": "i",
    ]
}
