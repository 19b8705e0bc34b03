internal import UnicodeText

/// A name as it is compared with those that are not allowed: its letters, without the differences of
/// case, width, style and accents, and without what stands between them. What looks alike is the
/// same: `0` and `o`, `1` and `l` and `i`, Cyrillic `а` and Latin `a`.
struct FoldedName: Hashable, Sendable {
    /// Each once, none of them empty; none when the name has no letters.
    let forms: [String]

    init(_ name: String) {
        let name = name.compatible
        let small = name.lowercased()
        // Case changes what letters look like: ν is like v, and its capital like N.
        var readings = [name, Self.ascii(name)]
        if small != name { readings.append(Self.ascii(small)) }
        forms = Self.each(Self.each(readings).map(Self.letters)).filter { !$0.isEmpty }
    }

    /// Whether the other name is a part of this one, letter by letter.
    func contains(_ other: FoldedName) -> Bool {
        other.forms.contains { part in forms.contains { $0.contains(part) } }
    }

    /// Returns each text once.
    private static func each(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the text with what looks like letters or digits of ASCII replaced by those.
    private static func ascii(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.skeleton }
        return text.unicodeScalars.reduce(into: "") { ascii, scalar in
            let skeleton = String(scalar).skeleton
            ascii += skeleton.utf8.allSatisfy { $0 < 0x80 } ? skeleton : String(scalar)
        }
    }

    /// Returns the letters and signs that a reader sees. Those of capitals, which more letters of
    /// other scripts share with Latin: в has no like, В is like B.
    private static func letters(of text: String) -> String {
        var letters = String.UnicodeScalarView()
        for scalar in text.uppercased().skeleton.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spacingMark, .format, .control,
                .spaceSeparator, .dashPunctuation, .connectorPunctuation, .otherPunctuation,
                .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation:
                break
            default:
                letters.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(letters)
    }
}
