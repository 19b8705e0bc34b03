internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row that is a blob under a key: heroes, activities, outcomes, provider tokens, channels,
/// snapshots, requests, packs. Its checksum covers the table's name, the key and the blob.
struct DataRow: Sendable {
    let table: String
    /// In the order of the table's key columns.
    let keys: [String]
    /// Numbers after them: a party's key, a version.
    let numbers: [Int64]
    let data: [UInt8]
    private let storedChecksum: Int64

    init(table: String, keys: [String] = [], numbers: [Int64] = [], data: [UInt8]) {
        self.table = table
        self.keys = keys
        self.numbers = numbers
        self.data = data
        storedChecksum = 0
    }

    /// Reads a row of `keyCount` texts, then `numberCount` integers, then blob and checksum.
    init(_ row: any SQLRow, table: String, keyCount: Int32 = 0, numberCount: Int32 = 0) {
        self.table = table
        keys = (0..<keyCount).map { row.text($0) }
        numbers = (0..<numberCount).map { row.integer(keyCount + $0) }
        data = row.bytes(keyCount + numberCount)
        storedChecksum = row.integer(keyCount + numberCount + 1)
    }

    private var checksum: Checksum {
        var checksum = Checksum()
        checksum.add(table)
        for key in keys { checksum.add(key) }
        for number in numbers { checksum.add(number) }
        checksum.add(data)
        return checksum
    }

    /// The checksum to bind.
    var checksumValue: Int64 { checksum.value }

    /// The values to bind: keys, numbers, blob, checksum.
    var values: [SQLValue] {
        keys.map { .text($0) } + numbers.map { .integer($0) }
            + [.blob(data), .integer(checksum.value)]
    }

    /// The row's name in reports.
    var name: String { (keys + numbers.map(String.init)).joined(separator: " ") }

    /// Throws unless the row is exactly what was written.
    func check() throws(RowFault) {
        try RowFault.check(storedChecksum, checksum, table: table, key: name)
    }

    /// Returns the value, if the row is exactly what was written.
    func decode<Value>(
        _ read: (UnsafeRawBufferPointer) throws -> Value
    ) throws(RowFault) -> Value {
        try check()
        do {
            return try data.withUnsafeBytes(read)
        } catch {
            throw RowFault(table: table, key: name, detail: "\(error)")
        }
    }
}

/// Which values are rows of which table.
extension DataRow {
    static let heroes = "heroes"
    static let activities = "activities"
    static let outcomes = "outcomes"
    static let packs = "packs"
    static let snapshots = "journal_snapshots"
    static let providerTokens = "provider_tokens"
    static let channels = "channels"
    static let requests = "requests"
    static let adminKeys = "admin_keys"
    static let sessions = "sessions"
    static let audit = "audit"
    static let pushPause = "push_pause"
    static let clock = "clock"
    static let refusedRegistrations = "refused_registrations"
    static let inbox = "shard_inbox"
    static let phones = "phones"

    init(hero: Hero) {
        self.init(
            table: Self.heroes, keys: [hero.id.rawValue, hero.owner.rawValue]
        ) { HeroFormat.write(hero, to: &$0) }
    }

    /// Reads the id, the party, and the blob and checksum of an activity.
    init(activity row: any SQLRow) {
        self.init(row, table: Self.activities, keyCount: 1, numberCount: 1)
    }

    init(activity: ActivityRegistration, party: Int64) {
        self.init(
            table: Self.activities, keys: [activity.id.rawValue], numbers: [party]
        ) { RegistrationFormat.write(activity, to: &$0) }
    }

    init(outcomes: [StoredOutcome], row: Int64) {
        self.init(table: Self.outcomes, numbers: [row]) {
            OutcomesFormat.write(outcomes, to: &$0)
        }
    }

    init(pack: PackRecord) {
        self.init(
            table: Self.packs, keys: [pack.reference.id],
            numbers: [Int64(pack.reference.version)]
        ) { PackFormat.write(pack, to: &$0) }
    }

    init(snapshot: FoldedParty, party: Int64) {
        self.init(table: Self.snapshots, numbers: [party, snapshot.version]) {
            FoldedPartyFormat.write(snapshot, to: &$0)
        }
    }

    init(providerToken: ProviderTokenRecord) {
        self.init(
            table: Self.providerTokens, keys: [providerToken.teamID, providerToken.keyID]
        ) { ProviderTokenFormat.write(providerToken, to: &$0) }
    }

    init(channel: ChannelRecord, party: Int64) {
        self.init(
            table: Self.channels, keys: [channel.environment.rawValue, channel.id.rawValue],
            numbers: [party]
        ) { ChannelFormat.write(channel, to: &$0) }
    }

    init(request: KeptRequest) {
        self.init(
            table: Self.requests, keys: [request.key.player.rawValue, request.key.key],
            numbers: [request.at.milliseconds]
        ) { KeptRequestFormat.write(request, to: &$0) }
    }

    init(adminKey: AdminKeyRecord) {
        self.init(table: Self.adminKeys, keys: [adminKey.holder.name]) {
            AdminKeyFormat.write(adminKey, to: &$0)
        }
    }

    init(session: SessionRecord) {
        self.init(table: Self.sessions, keys: [session.id, session.holder.name]) {
            SessionFormat.write(session, to: &$0)
        }
    }

    /// Returns the session that the row is.
    func session() throws(RowFault) -> SessionRecord {
        try decode { try SessionFormat.read($0, id: keys[0], key: keys[1]) }
    }

    init(audit: AuditRecord) {
        self.init(table: Self.audit, numbers: [audit.at.milliseconds]) {
            AuditFormat.write(audit, to: &$0)
        }
    }

    init(pushPause: PushPause) {
        self.init(table: Self.pushPause, numbers: [1]) {
            PushPauseFormat.write(pushPause, to: &$0)
        }
    }

    init(clock: ClockAnchor) {
        self.init(table: Self.clock, numbers: [1]) { ClockAnchorFormat.write(clock, to: &$0) }
    }

    init(refused: RefusedRegistration, party: Int64) {
        self.init(
            table: Self.refusedRegistrations, keys: [refused.activity.rawValue],
            numbers: [party, refused.at.milliseconds]
        ) { RefusedRegistrationFormat.write(refused, to: &$0) }
    }

    init(letter: PartyLetter, party: Int64) {
        self.init(
            table: Self.inbox, numbers: [Int64(letter.shard), letter.number, party]
        ) { LetterFormat.write(letter, to: &$0) }
    }

    init(left: PhoneAllowance?, phone: PhoneKey, version: Int64, at: Int64) {
        self.init(
            table: Self.phones, keys: [phone.player.rawValue, phone.device?.rawValue ?? ""],
            numbers: [at, version]
        ) { PhoneFormat.write(left, to: &$0) }
    }

    private init(
        table: String, keys: [String] = [], numbers: [Int64] = [],
        _ write: (inout ByteWriter) -> Void
    ) {
        var writer = ByteWriter()
        write(&writer)
        self.init(table: table, keys: keys, numbers: numbers, data: writer.bytes)
    }
}
