internal import ByteCoding
internal import GameLogic

// Which variants of its sentences a story has told.

extension ByteWriter {
    mutating func append(_ telling: Telling) { append(varint: UInt64(telling.bits)) }

    /// Appends four bytes for each sentence, the low ones first.
    mutating func append(_ tellings: Tellings) {
        append(count: tellings.sentences.count)
        for sentence in tellings.sentences {
            for shift in TellingFormat.shifts {
                append(byte: UInt8(truncatingIfNeeded: sentence >> shift))
            }
        }
    }
}

extension ByteReader {
    mutating func telling() throws(FormatError) -> Telling {
        let bits = try number(in: 0...Int(UInt16.max), "telling")
        guard let telling = Telling(bits: UInt16(bits)) else {
            throw .invalid("a telling is out of range")
        }
        return telling
    }

    mutating func tellings() throws(FormatError) -> Tellings {
        var sentences: [UInt32] = []
        for _ in 0..<(try count(max: Tellings.sentencesMax)) {
            var sentence: UInt32 = 0
            for shift in TellingFormat.shifts { sentence |= UInt32(try byte()) << shift }
            sentences.append(sentence)
        }
        guard let tellings = Tellings(sentences: sentences), !sentences.isEmpty else {
            throw .invalid("an adventure's tellings break the rules")
        }
        return tellings
    }
}

/// The bytes of a count.
private enum TellingFormat {
    static let shifts: [UInt32] = [0, 8, 16, 24]
}
