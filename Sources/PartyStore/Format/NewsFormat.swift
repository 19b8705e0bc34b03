internal import ByteCoding
internal import GameLogic
internal import PushPolicy

// What cards tell.

extension News.Rank: Numbered {
    var number: UInt8 {
        switch self {
        case .untold: 1
        case .others: 2
        case .company: 3
        case .way: 4
        case .turn: 5
        case .find: 6
        case .blow: 7
        case .rescue: 8
        case .word: 9
        case .danger: 10
        case .call: 11
        case .lastStand: 12
        case .need: 13
        case .fall: 14
        case .end: 15
        }
    }
}

extension ByteWriter {
    /// Appends one byte for no news, else two or more.
    mutating func append(_ mark: News.Mark) {
        append(byte: mark.rank.number | (mark.isOpen ? NewsFormat.open : 0))
        if mark.rank != .untold { append(count: mark.sequence) }
    }
}

extension ByteReader {
    mutating func newsMark() throws(FormatError) -> News.Mark {
        let byte = try byte()
        guard let rank = News.Rank(number: byte & ~NewsFormat.open) else {
            throw .unknownNumber(UInt64(byte), of: "News.Rank")
        }
        return News.Mark(
            sequence: rank == .untold ? 0 : try number("event that a card tells"), rank,
            isOpen: byte & NewsFormat.open != 0)
    }
}

/// The byte of a mark.
private enum NewsFormat {
    /// The bit of what no accepted push has told.
    static let open: UInt8 = 0x80
}
