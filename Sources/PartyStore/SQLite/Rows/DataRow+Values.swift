internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// Which values are rows of which table.
extension DataRow {
    static let heroes = "heroes"
    static let activities = "activities"
    static let outcomes = "outcomes"
    static let snapshots = "journal_snapshots"
    static let providerTokens = "provider_tokens"
    static let channels = "channels"

    init(hero: Hero) {
        self.init(
            table: Self.heroes, keys: [hero.id.rawValue, hero.owner.rawValue]
        ) { HeroFormat.write(hero, to: &$0) }
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

    private init(
        table: String, keys: [String] = [], numbers: [Int64] = [],
        _ write: (inout ByteWriter) -> Void
    ) {
        var writer = ByteWriter()
        write(&writer)
        self.init(table: table, keys: keys, numbers: numbers, data: writer.bytes)
    }
}
