import ByteCoding
import GameLogic
import PushPolicy

@testable import PartyStore

/// A row's bytes, of any kind, with what its columns say.
struct StoredRow {
    enum Kind: CaseIterable {
        case party, journal, registration, hero, traits, starts, channel, providerToken
        case outcomes, snapshot, adminKey, session, call, refused, pause, clock, letter, phone
    }

    let kind: Kind
    var bytes: [UInt8]
    /// What a party's row is read with.
    var columns: StoredParty?

    init(_ kind: Kind, columns: StoredParty? = nil, _ write: (inout ByteWriter) -> Void) {
        self.kind = kind
        self.columns = columns
        var writer = ByteWriter()
        write(&writer)
        bytes = writer.bytes
    }

    /// The bytes of what was read, written again.
    func rewritten() throws -> [UInt8] {
        try bytes.withUnsafeBytes { row in
            var writer = ByteWriter()
            switch kind {
            case .party: PartyStateFormat.write(try party(row), to: &writer)
            case .journal:
                JournalEntry.write(
                    try JournalEntry.read(row, packs: StorySample.packs), to: &writer)
            case .registration:
                RegistrationFormat.write(try RegistrationFormat.read(row), to: &writer)
            case .hero: HeroFormat.write(try HeroFormat.read(row), to: &writer)
            case .traits:
                StartDeviceFormat.write(traits: try StartDeviceFormat.traits(row), to: &writer)
            case .starts:
                StartDeviceFormat.write(starts: try StartDeviceFormat.starts(row), to: &writer)
            case .channel: ChannelFormat.write(try ChannelFormat.read(row), to: &writer)
            case .providerToken:
                ProviderTokenFormat.write(try ProviderTokenFormat.read(row), to: &writer)
            case .adminKey: AdminKeyFormat.write(try AdminKeyFormat.read(row), to: &writer)
            case .session:
                let session = FormatSample.session
                SessionFormat.write(
                    try SessionFormat.read(row, id: session.id, key: session.holder.name),
                    to: &writer)
            case .refused:
                RefusedRegistrationFormat.write(
                    try RefusedRegistrationFormat.read(row, of: FormatSample.partyID), to: &writer)
            case .pause: PushPauseFormat.write(try PushPauseFormat.read(row), to: &writer)
            case .clock: ClockAnchorFormat.write(try ClockAnchorFormat.read(row), to: &writer)
            case .call: AuditFormat.write(try AuditFormat.read(row), to: &writer)
            case .letter:
                LetterFormat.write(
                    try LetterFormat.read(row, to: FormatSample.partyID, number: 1), to: &writer)
            case .phone: PhoneFormat.write(try PhoneFormat.read(row), to: &writer)
            case .outcomes: OutcomesFormat.write(try OutcomesFormat.read(row), to: &writer)
            case .snapshot:
                FoldedPartyFormat.write(
                    try FoldedPartyFormat.read(row, packs: StorySample.packs), to: &writer)
            }
            return writer.bytes
        }
    }

    /// The party of a row that is one.
    func party() throws -> StoredParty { try bytes.withUnsafeBytes { try party($0) } }

    private func party(_ row: UnsafeRawBufferPointer) throws -> StoredParty {
        guard let columns else { throw FormatError.invalid("the test has no columns") }
        return try PartyStateFormat.read(
            row, key: columns.key, version: columns.version, id: columns.id,
            inviteCode: columns.inviteCode,
            registrations: columns.activities.map(\.registration), packs: StorySample.packs)
    }
}

extension StoredRow {
    /// All rows that a played party leaves behind.
    static func rows(of played: PlayedParty) -> [StoredRow] {
        played.commits.flatMap { commit in
            [
                StoredRow(.party, columns: commit.stored) {
                    PartyStateFormat.write(commit.stored, to: &$0)
                },
                StoredRow(.journal) { JournalEntry.write(commit, to: &$0) },
                StoredRow(.snapshot) {
                    FoldedPartyFormat.write(
                        FoldedParty(
                            party: commit.stored.party, version: commit.stored.version), to: &$0)
                },
            ]
        }
            + played.stored.activities.map { activity in
                StoredRow(.registration) {
                    RegistrationFormat.write(activity.registration, to: &$0)
                }
            }
            + played.stored.party.members.map { member in
                StoredRow(.hero) { HeroFormat.write(member.hero, to: &$0) }
            } + [StoredRow(.outcomes) { OutcomesFormat.write(played.outcomes, to: &$0) }]
    }

    /// Rows of the kinds that a party's play does not leave.
    static let others: [StoredRow] =
        [
            StoredRow(.traits) {
                StartDeviceFormat.write(traits: FormatSample.device.traits, to: &$0)
            },
            StoredRow(.starts) {
                StartDeviceFormat.write(starts: FormatSample.device.starts, to: &$0)
            },
            StoredRow(.channel) { ChannelFormat.write(FormatSample.channel, to: &$0) },
            StoredRow(.providerToken) { ProviderTokenFormat.write(FormatSample.token, to: &$0) },
            StoredRow(.adminKey) { AdminKeyFormat.write(FormatSample.adminKey, to: &$0) },
            StoredRow(.call) { AuditFormat.write(FormatSample.call, to: &$0) },
            StoredRow(.refused) { RefusedRegistrationFormat.write(FormatSample.refused, to: &$0) },
            StoredRow(.pause) { PushPauseFormat.write(FormatSample.pause, to: &$0) },
            StoredRow(.clock) { ClockAnchorFormat.write(FormatSample.clockAnchor, to: &$0) },
            StoredRow(.session) { SessionFormat.write(FormatSample.session, to: &$0) },
            StoredRow(.call) { AuditFormat.write(FormatSample.dryRun, to: &$0) },
        ]
        + FormatSample.letters.map { letter in
            StoredRow(.letter) { LetterFormat.write(letter, to: &$0) }
        }
        + [FormatSample.leftOnPhone, nil].map { left in
            StoredRow(.phone) { PhoneFormat.write(left, to: &$0) }
        }
}
