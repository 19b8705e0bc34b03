/// Jobs that run one at a time, in order: a dispatch queue's. Lane 0 is the pool of the process,
/// from which any job may be next.
struct Lane {
    struct Entry {
        let job: UnownedJob
        let life: LifeID
        /// Counts the jobs of a run.
        let number: Int
    }
    let label: String
    let life: LifeID
    /// `nil` for the pool.
    var executor: UnownedSerialExecutor?
    /// Drawn once, for the mode that runs lanes by priority.
    var priority: UInt64
    /// Whether its next job still waits for its disk or database.
    var isClosed = false
    private var entries: [Entry] = []
    private var head = 0

    init(label: String, life: LifeID, priority: UInt64) {
        self.label = label
        self.life = life
        self.priority = priority
    }

    var isEmpty: Bool { head == entries.count }
    var count: Int { entries.count - head }
    var first: Entry { entries[head] }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func takeFirst() -> Entry {
        let entry = entries[head]
        head += 1
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head == 1024 {
            entries.removeFirst(head)
            head = 0
        }
        return entry
    }

    /// Makes any of the waiting jobs the first.
    mutating func prefer(_ offset: Int) {
        if offset > 0 { entries.swapAt(head, head + offset) }
    }

    /// Makes the job that came first the first again.
    mutating func preferOldest() {
        var oldest = head
        for index in head..<entries.count where entries[index].number < entries[oldest].number {
            oldest = index
        }
        entries.swapAt(head, oldest)
    }

    /// Removes the jobs of a life, and returns them.
    mutating func removeAll(of life: LifeID) -> [Entry] {
        let waiting = entries[head...]
        let removed = waiting.filter { $0.life == life }
        guard !removed.isEmpty else { return [] }
        entries = waiting.filter { $0.life != life }
        head = 0
        return removed
    }

    func count(of life: LifeID) -> Int { entries[head...].count { $0.life == life } }
}
