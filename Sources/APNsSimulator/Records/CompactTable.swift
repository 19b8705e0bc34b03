/// Values under whole numbers, in one flat array: a third of what a Dictionary costs, which hashes
/// against malice. Nothing is ever taken out alone.
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
        /// Stands in for key 0, and nobody else is likely to be it.
        static var zero: Key { Key(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64) }
    }

    /// `fresh` is what a new key begins with.
    init(fresh: Value) {
        self.fresh = fresh
        places = Array(repeating: Place(key: 0, value: fresh), count: Limit.placesMin)
    }

    func contains(_ key: Key) -> Bool {
        let key = key == 0 ? Limit.zero : key
        return places[index(of: key)].key != 0
    }

    /// Changes the value of a key, which is added if it is not there; says whether it was.
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

    /// Forgets all and keeps the room.
    mutating func removeAll() {
        count = 0
        for index in places.indices { places[index] = Place(key: 0, value: fresh) }
    }

    /// Where the key is, or else the free place for it.
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
