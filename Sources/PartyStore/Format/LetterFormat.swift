internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `shard_inbox`: which activity changes, and how.
enum LetterFormat {
    static func write(_ letter: PartyLetter, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(letter.activity)
        switch letter.change {
        case .losesToken(let time):
            bytes.append(byte: 1)
            bytes.append(time)
        case .keepsShare(let share):
            bytes.append(byte: 2)
            bytes.append(count: share)
        case .isInState(let state):
            bytes.append(byte: 3)
            bytes.append(state)
        }
    }

    static func read(
        _ row: UnsafeRawBufferPointer, to party: PartyID, number: Int64
    ) throws(FormatError) -> PartyLetter {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let activity = try bytes.identifier(ActivityID.self)
        let change = try change(&bytes)
        try bytes.finish()
        return PartyLetter(to: party, activity, change, number: number)
    }

    private static func change(
        _ bytes: inout ByteReader
    ) throws(FormatError) -> PartyLetter.Change {
        let kind = try bytes.byte()
        switch kind {
        case 1: return .losesToken(confirmedAt: try bytes.wallTime())
        case 2:
            return .keepsShare(
                try bytes.number(in: 0...PhoneAllowance.whole, "share of the budget"))
        case 3: return .isInState(try bytes.numbered(ActivityState.self))
        default: throw .unknownNumber(UInt64(kind), of: "kind of a letter")
        }
    }
}
