internal import CICU

extension String {
    /// The text as a part of a sentence that runs from left to right: one with other letters or
    /// numbers stands between bidi isolates (UAX 9), so that it moves nothing around it.
    package var isolated: String {
        let runsLeft = unicodeScalars.contains { scalar in
            scalar.value >= firstRightToLeft && CICU_is_right_to_left(scalar.value)
        }
        return runsLeft ? "\u{2068}\(self)\u{2069}" : self
    }
}

/// Where Hebrew begins: no scalar before it runs from right to left.
private let firstRightToLeft: UInt32 = 0x0590
