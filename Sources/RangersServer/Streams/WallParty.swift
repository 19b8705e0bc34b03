internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// A party as a tile of the wall: what is needed to draw it, and why it needs somebody.
struct WallParty: Sendable {
    /// How long a card may be owed before it counts as late, in milliseconds.
    static let latenessMax: Int64 = 1000
    /// How long a party stays on the wall after its adventure, in seconds.
    static let overSeconds: Int64 = 60

    let id: PartyID
    let version: Int64
    /// When it has become so.
    let at: WallTime
    /// `nil`: the party cannot be read, because its row is damaged.
    fileprivate let shape: Shape?
    let needs: Needs
    /// From when on each card that is owed counts as late, as far as is known now.
    private let lateFrom: [WallTime]
    /// Whether the party is on an adventure.
    let isOnAdventure: Bool
    /// Whether an adventure of the party is over.
    let isOver: Bool
    /// The Live Activities that can be updated.
    let cards: Int

    fileprivate struct Shape: Sendable {
        let phase: String
        let boss: (name: String, thousandths: Int)?
        let healths: [Int]
        let avatars: [String]
        let leader: String?
        let code: String
        let languages: [String]
        let down: Int
    }

    /// Why a party needs somebody, the most urgent first.
    struct Needs: Hashable, Sendable {
        var isFrozen = false
        /// Heroes who are down and whose alert is not delivered, or whose player has done nothing
        /// since.
        var unheard = 0
        /// Cards that are owed, and that nothing in the policy holds back.
        var late = 0
        /// Cards whose newest push Apple has refused, or whose token is dead.
        var refused = 0
        /// Cards on phones without a push token, while the party is on an adventure.
        var tokenless = 0

        /// A number by which parties are sorted: each need outweighs any number of the next ones.
        var urgency: Int {
            let counts = [isFrozen ? 1 : 0, unheard, late, refused, tokenless]
            return counts.reduce(0) { $0 * 1000 + min($1, 999) }
        }
    }

    /// Creates the tile of a party in a state that it has had since `at`. `wallOffset` is the wall
    /// clock minus the server's time, in milliseconds.
    init(_ stored: StoredParty, at: WallTime, wallOffset: Int64, names: NameView) {
        id = stored.id
        version = stored.version
        self.at = at
        shape = Shape(stored, names)
        isOnAdventure = stored.party.isOnAdventure
        isOver = stored.party.adventure?.isOver == true
        let living = stored.activities.filter {
            $0.outbox != nil && $0.registration.state.isLiving
        }
        cards = living.count
        lateFrom = living.compactMap { activity in
            Self.owedSince(activity, wallOffset: wallOffset)?
                .adding(milliseconds: Self.latenessMax)
        }
        needs = Needs(
            unheard: Self.unheard(stored), refused: living.count(where: Self.isRefused),
            tokenless: isOnAdventure ? living.count(where: Self.isTokenless) : 0)
    }

    /// Creates the tile of a frozen party that is not in memory.
    init(frozen id: PartyID, at: WallTime) {
        self.id = id
        self.at = at
        version = 0
        shape = nil
        needs = Needs(isFrozen: true)
        lateFrom = []
        (isOnAdventure, isOver, cards) = (false, false, 0)
    }

    /// Returns what the party needs at a time that has come since.
    func needs(at now: WallTime, isFrozen: Bool) -> Needs {
        var needs = needs
        needs.isFrozen = isFrozen
        needs.late = lateFrom.count { $0 <= now }
        return needs
    }

    /// Returns whether the party has left the wall: it is on no adventure, and has been on none for
    /// a while.
    func hasLeft(at now: WallTime) -> Bool {
        guard shape != nil, !isOnAdventure else { return false }
        return !isOver || at.adding(seconds: Self.overSeconds) <= now
    }

    /// Whether nothing is known of the party but that it is frozen.
    var isUnreadable: Bool { shape == nil }

    // MARK: What a card lacks

    /// Returns since when a card is owed that may go; `nil`: nothing is owed, or something in the
    /// policy holds it back.
    private static func owedSince(_ activity: LiveActivity, wallOffset: Int64) -> WallTime? {
        guard let outbox = activity.outbox else { return nil }
        let snapshot = outbox.snapshot
        if let push = snapshot.inFlight {
            // The second in which it left is over at the latest then.
            return WallTime(milliseconds: (push.timestamp + 1) * 1000 - wallOffset)
        }
        guard outbox.isDue, !isRefused(activity), activity.registration.hasTarget else {
            return nil
        }
        let due = snapshot.ending ?? snapshot.due
        let since = due?.urgentSince ?? due?.since ?? snapshot.alert?.at
        return since.flatMap { PushPlanner.nextReleaseAt(activities: [activity], now: $0) }
    }

    private static func isRefused(_ activity: LiveActivity) -> Bool {
        guard let snapshot = activity.outbox?.snapshot, !snapshot.isEnded else { return false }
        if snapshot.refused != nil { return true }
        let registration = activity.registration
        return registration.hasTarget && snapshot.deadTokenAt == registration.tokenConfirmedAt
    }

    /// A page gets its token with its stream, and nobody needs to care when it is closed.
    private static func isTokenless(_ activity: LiveActivity) -> Bool {
        let registration = activity.registration
        return registration.screen == .device && !registration.hasTarget
            && activity.outbox?.snapshot.isEnded == false
    }

    private static func unheard(_ stored: StoredParty) -> Int {
        guard stored.party.isOnAdventure else { return 0 }
        return stored.party.members.filter(\.isKnockedDown).count { member in
            stored.activities.contains { activity in
                guard activity.registration.hero == member.hero.id,
                    activity.registration.state.isLiving, let outbox = activity.outbox
                else { return false }
                let snapshot = outbox.snapshot
                return snapshot.alert != nil || snapshot.restraint.ignored > 0
            }
        }
    }
}

extension WallParty.Shape {
    fileprivate init(_ stored: StoredParty, _ names: NameView) {
        let party = stored.party
        phase = party.adventure?.phase.name ?? "gathering"
        if let adventure = party.adventure, case .boss(let boss, let health) = adventure.phase {
            let whole = max(1, adventure.pack.bosses[boss]?.health ?? health)
            self.boss = (String(boss.shortName), health * 1000 / whole)
        } else {
            boss = nil
        }
        healths = party.members.map(\.health.thousandths)
        avatars = party.members.map(\.hero.avatar)
        leader = party.members.first.map { names.hero($0.hero).name }
        code = stored.inviteCode
        let living = stored.activities.lazy.map(\.registration).filter(\.state.isLiving)
        languages = Set(living.map(\.language.rawValue)).sorted()
        down = party.members.count(where: \.isKnockedDown)
    }
}

// MARK: - JSON

extension WallParty {
    static let schema = JSONSchema.named(
        "WallParty",
        .fields(
            [
                "id": .text, "version": .whole, "down": .whole, "late": .whole,
                "unheard": .whole, "refused": .whole, "tokenless": .whole, "frozen": .boolean,
                "urgency": .whole,
                "healths": .list(.integer(0...1000)), "avatars": .list(.text),
                "languages": .list(.text), "at": .time,
            ],
            optional: [
                "phase": .choice(["gathering", "quest", "boss", "over"]),
                "boss": .integer(0...1000), "bossName": .text, "name": .text, "code": .text,
            ]))

    func json(_ needs: Needs, _ wallOffsets: WallOffsets) -> [UInt8] {
        var json = JSONWriter(reserving: 384)
        json.beginObject()
        json.field("id", id.rawValue)
        json.field("version", version)
        if let phase = shape?.phase { json.field("phase", phase) }
        if let boss = shape?.boss {
            json.field("boss", boss.thousandths)
            json.field("bossName", boss.name)
        }
        json.array("healths", shape?.healths ?? []) { $0.value($1) }
        json.field("down", shape?.down ?? 0)
        json.field("late", needs.late)
        json.field("unheard", needs.unheard)
        json.field("refused", needs.refused)
        json.field("tokenless", needs.tokenless)
        json.field("frozen", needs.isFrozen)
        json.field("urgency", needs.urgency)
        json.array("avatars", shape?.avatars ?? []) { $0.value($1) }
        if let leader = shape?.leader { json.field("name", leader) }
        if let code = shape?.code { json.field("code", code) }
        json.array("languages", shape?.languages ?? []) { $0.value($1) }
        json.field("at", wallOffsets.wall(at: at))
        json.endObject()
        return json.bytes
    }
}
