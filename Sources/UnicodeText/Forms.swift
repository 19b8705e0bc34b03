internal import CICU

extension String {
    /// The text in normalization form C (UAX 15).
    package var composed: String { made(by: CICU_composed) }

    /// The text in normalization form KC (UAX 15): without the differences of width, of ligatures and
    /// of styles such as 𝓹.
    package var compatible: String { made(by: CICU_compatible) }

    /// What two texts that look alike have in common (UTS 39). It is not for display.
    package var skeleton: String { made(by: CICU_skeleton) }

    /// Whether the text is one emoji of Unicode's recommended set (RGI, UTS 51), with nothing beside
    /// it.
    package var isRecommendedEmoji: Bool {
        let text = Array(utf16)
        return CICU_is_recommended_emoji(text, Int32(text.count))
    }

    private func made(
        by make: (
            UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<UInt16>?, Int32
        ) -> Int32
    ) -> String {
        guard !isEmpty else { return self }
        let text = Array(utf16)
        // Hardly any form is longer; one that is gets the room that it needs.
        var room = Int32(2 * text.count)
        while true {
            var form = [UInt16](repeating: 0, count: Int(room))
            let count = make(text, Int32(text.count), &form, room)
            precondition(count >= 0, "ICU has no memory or no data")
            if count <= room { return String(decoding: form.prefix(Int(count)), as: UTF16.self) }
            room = count
        }
    }
}
