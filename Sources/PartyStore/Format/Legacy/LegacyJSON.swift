internal import ByteCoding
internal import FoundationEssentials
internal import GameLogic
internal import PushPolicy

/// Rows of schemas 1 to 6: JSON, as the types of that time encoded themselves.
///
/// What is read here is either refused or can be written and read in the newest format, so a
/// migrated row is never found damaged. No error quotes a row, which may contain a token.
enum LegacyJSON {
    static func hero(_ json: [UInt8]) throws(FormatError) -> Hero {
        try proven(try decode(LegacyHero.self, json, "hero").hero) {
            HeroFormat.write($0, to: &$1)
        } read: { row throws(FormatError) in
            try HeroFormat.read(row)
        }
    }

    /// Reads `parties.party`.
    static func party(_ json: [UInt8]) throws(FormatError) -> Party {
        let legacy = try decode(LegacyParty.self, json, "party")
        guard let party = legacy.party else { throw .invalid("its party breaks the rules") }
        let snapshot = FoldedParty(party: party, version: 1)
        return try proven(snapshot) {
            FoldedPartyFormat.write($0, to: &$1)
        } read: { row throws(FormatError) in
            try FoldedPartyFormat.read(row, packs: Packs())
        }.party
    }

    /// Reads `parties.outbox`, in their order.
    static func outboxes(_ json: [UInt8]) throws(FormatError) -> [ActivityOutbox] {
        let base = OutboxFormat.Base(time: WallTime(milliseconds: 0), version: 0)
        var outboxes: [ActivityOutbox] = []
        for legacy in try decode([LegacyOutbox].self, json, "outbox") {
            let snapshot = try proven(legacy.snapshot) {
                OutboxFormat.append($0, since: base, Roster(), to: &$1)
            } read: { row throws(FormatError) in
                var bytes = ByteReader(row)
                return try OutboxFormat.next(&bytes, since: base, Roster())
            }
            outboxes.append(ActivityOutbox(activity: ActivityID(legacy.activity), snapshot))
        }
        return outboxes
    }

    /// Reads a row of `activities`.
    static func registration(_ json: [UInt8]) throws(FormatError) -> ActivityRegistration {
        try proven(try decode(LegacyRegistration.self, json, "activity").registration) {
            RegistrationFormat.write($0, to: &$1)
        } read: { row throws(FormatError) in
            try RegistrationFormat.read(row)
        }
    }

    static func channel(_ json: [UInt8]) throws(FormatError) -> ChannelRecord {
        try proven(try decode(LegacyChannel.self, json, "channel").record) {
            ChannelFormat.write($0, to: &$1)
        } read: { row throws(FormatError) in
            try ChannelFormat.read(row)
        }
    }

    static func providerToken(_ json: [UInt8]) throws(FormatError) -> ProviderTokenRecord {
        try proven(try decode(LegacyProviderToken.self, json, "provider token").record) {
            ProviderTokenFormat.write($0, to: &$1)
        } read: { row throws(FormatError) in
            try ProviderTokenFormat.read(row)
        }
    }

    /// Reads `start_devices.json`.
    static func traits(_ json: [UInt8]) throws(FormatError) -> StartDevice.Traits {
        try proven(try decode(LegacyTraits.self, json, "device").traits) {
            StartDeviceFormat.write(traits: $0, to: &$1)
        } read: { row throws(FormatError) in
            try StartDeviceFormat.traits(row)
        }
    }

    /// Reads `start_devices.starts`.
    static func starts(_ json: [UInt8]) throws(FormatError) -> DeviceStarts {
        try proven(try decode(LegacyStarts.self, json, "device's starts").starts) {
            StartDeviceFormat.write(starts: $0, to: &$1)
        } read: { row throws(FormatError) in
            try StartDeviceFormat.starts(row)
        }
    }
}

// MARK: The logs

extension LegacyJSON {
    static func event(_ json: [UInt8]) throws(FormatError) -> PartyEvent {
        let event = try decode(LegacyEvent.self, json, "event").event
        _ = try proven(JournalEntry(events: [event]))
        return event
    }

    static func command(_ json: [UInt8]) throws(FormatError) -> LoggedCommand {
        let command = try decode(LegacyLoggedCommand.self, json, "command").logged
        _ = try proven(JournalEntry(command: command))
        return command
    }

    /// Reads a decision with its sentence, which cannot be made again.
    static func decision(_ json: [UInt8]) throws(FormatError) -> JournalDecision {
        let decision = try decode(LegacyDecision.self, json, "decision").decision
        _ = try proven(JournalEntry(decisions: [decision]))
        return decision
    }

    private static func proven(_ entry: JournalEntry) throws(FormatError) -> JournalEntry {
        try proven(entry) {
            JournalEntry.write($0, to: &$1)
        } read: { row throws(FormatError) in
            try JournalEntry.read(row, packs: Packs())
        }
    }
}

extension LegacyJSON {
    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ json: [UInt8], _ name: String
    ) throws(FormatError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json))
        } catch {
            throw .invalid("its JSON is not a \(name)")
        }
    }

    /// Returns the value, if the newest format restores it exactly.
    private static func proven<Value: Equatable>(
        _ value: Value, write: (Value, inout ByteWriter) -> Void,
        read: (UnsafeRawBufferPointer) throws(FormatError) -> Value
    ) throws(FormatError) -> Value {
        var bytes = ByteWriter()
        write(value, &bytes)
        let again = bytes.withBytes(in: 0..<bytes.count) { row in
            Result { () throws(FormatError) in try read(row) }
        }
        guard try again.get() == value else { throw .invalid("its numbers are out of range") }
        return value
    }
}
