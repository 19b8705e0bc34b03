internal import ByteCoding
internal import PushPolicy

/// A row of `outcomes`: the outcomes of many pushes, of any parties. Each outcome has a number that
/// is never reused.
enum OutcomesFormat {
    /// More than a shard passes on at once.
    private static let outcomesMax = 1 << 20

    static func write(_ outcomes: [StoredOutcome], to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(count: outcomes.count)
        for outcome in outcomes {
            bytes.append(fixed: UInt64(bitPattern: outcome.party.number))
            bytes.append(outcome.activity)
            bytes.append(zigzag: outcome.timestamp)
            append(outcome.outcome, at: outcome.timestamp, to: &bytes)
            var flags = Flags()
            flags.append(outcome.response != nil)
            flags.append(outcome.refusal != nil)
            flags.append(outcome.refusal == .forGood)
            bytes.append(flags)
            guard let response = outcome.response else { continue }
            JournalPushFormat.append(response, since: outcome.timestamp, to: &bytes)
        }
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> [StoredOutcome] {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let count = try bytes.count(max: outcomesMax)
        var outcomes: [StoredOutcome] = []
        outcomes.reserveCapacity(min(count, Bounds.reservedMax))
        for _ in 0..<count {
            let party = PartyKey(number: Int64(bitPattern: try bytes.fixed()))
            let activity = try bytes.identifier(ActivityID.self)
            let timestamp = try bytes.zigzag(in: Bounds.seconds, "timestamp")
            let outcome = try outcome(&bytes, at: timestamp)
            var flags = try bytes.flags(3)
            let (hasResponse, isRefused, isForGood) = (flags.next(), flags.next(), flags.next())
            guard isRefused || !isForGood else { throw .invalid("a refusal is for good and none") }
            outcomes.append(
                StoredOutcome(
                    party: party, activity: activity, timestamp: timestamp, outcome: outcome,
                    refusal: isRefused ? isForGood ? .forGood : .forNow : nil,
                    response: hasResponse
                        ? try JournalPushFormat.response(&bytes, since: timestamp) : nil))
        }
        try bytes.finish()
        return outcomes
    }

    private static func append(
        _ outcome: PushOutcome, at timestamp: Int64, to bytes: inout ByteWriter
    ) {
        switch outcome {
        case .accepted: bytes.append(byte: 1)
        case .tokenIsDead: bytes.append(byte: 2)
        case .rejected: bytes.append(byte: 3)
        case .unknown: bytes.append(byte: 4)
        case .pause(until: let time):
            bytes.append(byte: 5)
            bytes.append(time, since: WallTime(milliseconds: timestamp &* 1000))
        case .retry(notBefore: let time):
            bytes.append(byte: 6)
            bytes.append(time, since: WallTime(milliseconds: timestamp &* 1000))
        }
    }

    private static func outcome(
        _ bytes: inout ByteReader, at timestamp: Int64
    ) throws(FormatError) -> PushOutcome {
        let base = WallTime(milliseconds: timestamp &* 1000)
        let number = try bytes.byte()
        switch number {
        case 1: return .accepted
        case 2: return .tokenIsDead
        case 3: return .rejected
        case 4: return .unknown
        case 5: return .pause(until: try bytes.wallTime(since: base))
        case 6: return .retry(notBefore: try bytes.wallTime(since: base))
        default: throw .unknownNumber(UInt64(number), of: "outcome of a push")
        }
    }
}
