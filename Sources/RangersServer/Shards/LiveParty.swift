internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// A party in its shard's memory. Confined to the shard: it is not `Sendable`.
final class LiveParty {
    /// What the party waits for. In every stage but `idle`, requests and outcomes wait with it. An
    /// idle party without `stored` is read when it is due or when a request arrives.
    enum Stage {
        /// The store is reading it.
        case loading
        case idle
        /// The store is reading the devices that this change concerns. Apart, because it is rare.
        indirect case readingDevices(ChangeRequest?)
        /// The writer has it in a batch.
        case writing
        /// The party has left memory.
        case forgotten
    }

    /// The queues of parties with requests.
    enum Queued {
        case nowhere
        /// All that waits may wait longer.
        case later
        case next
    }

    let id: PartyID
    /// The last committed state, with the outcomes that arrived since; `nil` until it is read.
    var stored: StoredParty?
    var stage = Stage.idle
    var isLoading: Bool { if case .loading = stage { true } else { false } }
    /// Waiting changes, in the order of their arrival.
    var requests: [ChangeRequest] = []
    /// Outcomes that wait until the party is idle again.
    var outcomes: [ActivityOutcome] = []
    /// Responses to pushes that no row of the journal contains yet: at most one for each push that
    /// was in flight.
    var responses = PendingResponses()
    /// Whether the store has refused the start with which the party's ready check ended.
    var startOfCheck = StartOfCheck.untried
    /// Whether the party became due while it was not in memory.
    var isOverdue = false
    /// Whether it leaves memory when the writer has returned it, because its shard has left.
    var isLeaving = false
    /// When the party is due. Only `Schedule` sets it.
    fileprivate(set) var dueAt: WallTime?
    /// What the party waits for at the sending gates.
    var owed = OwedPushes()
    /// Whether this turn has settled outcomes of the party.
    var hasSettledOutcomes = false
    /// The shard's queue that the party is in.
    var queued = Queued.nowhere
    /// Outcomes that no row of the party contains yet.
    var uncoveredOutcomes = 0
    /// Rows of outcomes that the party's next row supersedes.
    var outcomeRows: [Int64] = []

    init(_ id: PartyID) { self.id = id }

    var isIdle: Bool {
        if case .idle = stage { true } else { false }
    }

    var isBeingWritten: Bool {
        if case .writing = stage { true } else { false }
    }

    /// The version behind which the store may have a change that it has not acknowledged, and when to
    /// write the party, which shows that.
    var doubt: (version: Int64, writeAt: WallTime)?

    private var isInDoubt: Bool { doubt != nil && stored?.version == doubt?.version }

    /// When a party in doubt is due, whatever else it waits for.
    var doubtDueAt: WallTime? { isInDoubt ? doubt?.writeAt : nil }

    /// Whether the party is about to be evicted, or to go to another node, and its row lacks
    /// outcomes or is in doubt.
    var mustBeWritten: Bool {
        let isCovered = uncoveredOutcomes == 0 && outcomeRows.isEmpty && responses.isEmpty
        return isInDoubt || !isCovered && (isLeaving || isSettled)
    }

    /// Why its requests fail once another node has it.
    var movedAway: ShardError { .elsewhere(id) }

    /// Whether the party is in memory and has no scheduled work.
    var isSettled: Bool { stored?.inPlace { $0.isSettled } == true }

    /// Notes the response to a push, until the journal contains it.
    func note(_ response: PushResponse?, to push: ActivityID, timestamp: Int64) {
        guard let response else { return }
        responses.add(
            JournalResponse(activity: push, timestamp: timestamp, response: response))
    }

    /// The queue for what waits: somebody waits for a caller's request, and nobody for one of the
    /// server's own.
    var urgency: Queued {
        guard !requests.isEmpty else { return .nowhere }
        return requests.contains { $0.origin == .caller } ? .next : .later
    }

    /// Removes and returns all requests that wait.
    func takeRequests() -> [ChangeRequest] {
        defer { requests = [] }
        return requests
    }

    /// Returns a request to its place, before those that wait.
    func putBack(_ request: ChangeRequest?) {
        if let request { requests.insert(request, at: requests.startIndex) }
    }
}

/// When each party is due next: a heap whose outdated entries are skipped.
struct Schedule {
    private struct Entry {
        let at: WallTime
        let party: LiveParty
    }

    private var heap: [Entry] = []

    /// Sets when a party is due; `nil`: never, until it is set again.
    mutating func set(_ party: LiveParty, at time: WallTime?) {
        guard party.dueAt != time else { return }
        party.dueAt = time
        if let time { push(Entry(at: time, party: party)) }
    }

    /// Returns the earliest time at which a party is due.
    mutating func next() -> WallTime? {
        while let first = heap.first {
            if first.party.dueAt == first.at { return first.at }
            pop()
        }
        return nil
    }

    /// Removes and returns the party that has been due longest, if one is due at `time`.
    mutating func take(dueAt time: WallTime) -> (party: LiveParty, due: WallTime)? {
        guard let next = next(), next <= time else { return nil }
        let party = heap[0].party
        party.dueAt = nil
        pop()
        return (party, next)
    }

    // Compared and moved in place: a copy of an entry counts a reference, and with 100,000 parties
    // each way through the heap has 17 steps.

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, isEarlier(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let child = smallestChild(of: parent), isEarlier(child, parent) {
            heap.swapAt(child, parent)
            parent = child
        }
    }

    private func smallestChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        let right = left + 1
        return right < heap.count && isEarlier(right, left) ? right : left
    }

    private func isEarlier(_ one: Int, _ other: Int) -> Bool {
        let (at, otherAt) = (heap[one].at, heap[other].at)
        return at == otherAt ? heap[one].party.id < heap[other].party.id : at < otherAt
    }
}
