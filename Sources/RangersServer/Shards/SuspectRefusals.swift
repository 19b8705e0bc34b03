internal import GameLogic
internal import PushPolicy

/// Refusals that concern a single device, or all of them: it shows when other parties' pushes get
/// the same, or are accepted. Until then their outcomes wait here. Pure.
///
/// A device that gets too many pushes is paused by itself, and must not stop the others. But when
/// every push gets the same refusal, tens of thousands of pauses would cost a commit each, and
/// would last when the cause is gone (PR6).
struct SuspectRefusals {
    /// What refuses all pushes when no push is accepted in between.
    static let partiesMin = 5
    /// The most outcomes that wait; a party has sixteen activities at most.
    static let outcomesMax = 64

    struct Suspect {
        let party: PartyID
        let outcome: ActivityOutcome
    }

    enum Verdict {
        /// Its outcome waits.
        case unknown
        /// It concerns this device.
        case own
        /// It concerns every push: these, too, which waited.
        case all([Suspect])
    }

    private var kind = RefusalKind.settings
    private var parties: [PartyID] = []
    private var suspects: [Suspect] = []
    private var since = WallTime(milliseconds: 0)
    private var isOver = false

    var isEmpty: Bool { suspects.isEmpty }

    /// When the wait for other parties' outcomes is over.
    var decideAt: WallTime? {
        isEmpty ? nil : since.adding(milliseconds: kind.waitMilliseconds)
    }

    /// Notes a refusal. Call `clear` first if those that wait are of another kind.
    mutating func note(_ kind: RefusalKind, _ suspect: Suspect, at now: WallTime) -> Verdict {
        guard !isOver, suspects.count < Self.outcomesMax else { return .own }
        if suspects.isEmpty {
            self.kind = kind
            since = now
        }
        if !parties.contains(suspect.party) { parties.append(suspect.party) }
        guard parties.count < Self.partiesMin else { return .all(clear()) }
        suspects.append(suspect)
        return .unknown
    }

    /// Returns whether refusals of another kind wait.
    func isAbout(otherThan kind: RefusalKind) -> Bool { !isEmpty && self.kind != kind }

    /// Returns what waits, and whether it concerns every push, if the wait is over.
    mutating func decide(at now: WallTime) -> (suspects: [Suspect], isHostWide: Bool)? {
        guard let decideAt, decideAt <= now else { return nil }
        return (clear(), kind == .settings)
    }

    /// Removes and returns what waits.
    mutating func clear() -> [Suspect] {
        defer {
            parties = []
            suspects = []
        }
        return suspects
    }

    /// Ends the suspicion. Returns what waits.
    mutating func end() -> [Suspect] {
        isOver = true
        return clear()
    }
}

/// What a refusal blames that may concern every push.
enum RefusalKind: Hashable, Sendable {
    /// The key, the provider token or the topic, which all pushes share.
    case settings
    /// The rate: mostly of one device (429).
    case rate

    /// How long a refusal waits for those of other parties, in milliseconds. One that blames what
    /// all pushes share concerns all if no push is accepted meanwhile.
    var waitMilliseconds: Int64 {
        switch self {
        case .settings: 2_000
        case .rate: 10_000
        }
    }
}
