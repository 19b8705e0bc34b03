/// Remembers at least the last half million ids, and at most a million.
struct RecentIDs: Sendable {
    private var newer: Set<String> = []
    private var older: Set<String> = []
    private let generationMax: Int

    init(generationMax: Int = 500_000) { self.generationMax = generationMax }

    /// Says whether the id was new.
    mutating func insert(_ id: String) -> Bool {
        guard !older.contains(id), newer.insert(id).inserted else { return false }
        if newer.count >= generationMax {
            older = newer
            newer = []
        }
        return true
    }
}
