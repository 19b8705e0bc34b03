/// Stores at least the last 393,216 ids, and at most twice as many.
struct RecentIDs: Sendable {
    private var newer: Set<UInt128> = []
    private var older: Set<UInt128> = []
    private let generationMax: Int

    init(generationMax: Int = 393_216) { self.generationMax = generationMax }

    /// Inserts an id; returns whether it was new.
    mutating func insert(_ id: UInt128) -> Bool {
        guard !older.contains(id), newer.insert(id).inserted else { return false }
        if newer.count >= generationMax {
            swap(&older, &newer)
            newer.removeAll(keepingCapacity: true)
        }
        return true
    }
}
