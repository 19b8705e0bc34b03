/// Values under integer keys in one flat array, at a third of the cost of a Dictionary, which
/// hashes against attacks. Single entries are never removed.
struct CompactTable<Key: FixedWidthInteger & UnsignedInteger & Sendable, Value: Sendable>: Sendable
{
    private struct Place: Sendable {
        /// 0: free.
        var key: Key
        var value: Value
    }

    private(set) var count = 0
    private var places: [Place]
    private let fresh: Value

    private enum Limit {
        static var placesMin: Int { 1_024 }
        /// Replaces key 0; no other key is likely to have this value.
        static var zero: Key { Key(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64) }
    }

    /// Creates a table whose new keys begin with `fresh`.
    init(fresh: Value) {
        self.fresh = fresh
        places = Array(repeating: Place(key: 0, value: fresh), count: Limit.placesMin)
    }

    func contains(_ key: Key) -> Bool {
        let key = key == 0 ? Limit.zero : key
        return places[index(of: key)].key != 0
    }

    /// Changes the value of a key, adding it if absent; returns whether it was present.
    @discardableResult
    mutating func update(_ key: Key, _ change: (inout Value) -> Void = { _ in }) -> Presence {
        let key = key == 0 ? Limit.zero : key
        var index = index(of: key)
        let presence: Presence = places[index].key == 0 ? .added : .known
        if presence == .added {
            count += 1
            if count > places.count / 4 * 3 {
                grow()
                index = self.index(of: key)
            }
            places[index].key = key
        }
        change(&places[index].value)
        return presence
    }

    enum Presence: Hashable, Sendable {
        case added, known
    }

    /// Removes all entries and keeps the memory.
    mutating func removeAll() {
        count = 0
        for index in places.indices { places[index] = Place(key: 0, value: fresh) }
    }

    /// Returns the key's position, or the free one for it.
    private func index(of key: Key) -> Int {
        let mask = places.count - 1
        var folded = UInt64(truncatingIfNeeded: key)
        if Key.bitWidth > 64 { folded ^= UInt64(truncatingIfNeeded: key >> 64) }
        let mixed = folded &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: mixed ^ mixed >> 32) & mask
        while places[index].key != 0, places[index].key != key { index = (index + 1) & mask }
        return index
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: Place(key: 0, value: fresh), count: old.count * 2)
        for place in old where place.key != 0 { places[index(of: place.key)] = place }
    }
}
