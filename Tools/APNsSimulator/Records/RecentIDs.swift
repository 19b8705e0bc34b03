/// Stores at least the last 393,216 ids, and at most twice as many: 16 MB.
struct RecentIDs: Sendable {
    private var newer = CompactTable<UInt128, Void>(fresh: ())
    private var older = CompactTable<UInt128, Void>(fresh: ())
    private let generationMax: Int

    /// The default uses a table of half a million slots to its maximum load.
    init(generationMax: Int = 393_216) { self.generationMax = generationMax }

    /// Inserts an id; returns whether it was new.
    mutating func insert(_ id: UInt128) -> Bool {
        guard !older.contains(id), newer.update(id) == .added else { return false }
        if newer.count >= generationMax {
            swap(&older, &newer)
            newer.removeAll()
        }
        return true
    }
}
