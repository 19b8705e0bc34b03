internal import PushPolicy

/// One party that somebody looks at: its newest state, the newest of each of its cards, and the last
/// rows of its ledger, each with the number of its change.
struct WatchedParty: Sendable {
    /// The most rows kept; a listener that lacks older ones loads the party anew.
    static let rowsMax = 256

    struct Numbered: Sendable {
        let number: Int64
        let message: [UInt8]
    }

    private var party: Numbered?
    private var cards: [ActivityID: Numbered] = [:]
    private var rows: [Numbered] = []
    /// Complete since this number.
    private(set) var since: Int64
    /// The number of the newest message.
    private(set) var newest: Int64
    /// When its last listener left; `nil`: it has one.
    var leftAt: WallTime?

    init(since number: Int64) {
        since = number
        newest = number
    }

    mutating func set(_ message: [UInt8], number: Int64) {
        party = Numbered(number: number, message: message)
        newest = number
    }

    /// Sets the newest state of a card, unless it is as before. Returns whether it is new.
    mutating func set(_ card: ActivityID, _ message: [UInt8], number: Int64) -> Bool {
        guard cards[card]?.message != message else { return false }
        cards[card] = Numbered(number: number, message: message)
        newest = number
        return true
    }

    mutating func add(row message: [UInt8], number: Int64) {
        if rows.count == Self.rowsMax { since = rows.removeFirst().number }
        rows.append(Numbered(number: number, message: message))
        newest = number
    }

    /// Notes that rows are missing.
    mutating func lose(upTo number: Int64) {
        rows = []
        since = number
        newest = max(newest, number)
    }

    /// Returns what has changed since a number, in order; `nil`: that is not known.
    func messages(since number: Int64) -> [Numbered]? {
        guard number >= since else { return nil }
        guard number < newest else { return [] }
        let changed = rows + cards.values + [party].compactMap(\.self)
        return changed.filter { $0.number > number }.sorted { $0.number < $1.number }
    }
}
