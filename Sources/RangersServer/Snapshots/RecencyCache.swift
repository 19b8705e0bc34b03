/// A cache with a limit of cost. Beyond it, the least recently used values are removed.
///
/// Two generations approximate the order: a value that is not used while one generation fills up is
/// removed. So a use costs one look-up, without a list.
struct RecencyCache<Key: Hashable, Value> {
    private struct Item {
        let value: Value
        let cost: Int
    }

    private let costMax: Int
    private var young: [Key: Item] = [:]
    private var old: [Key: Item] = [:]
    private var youngCost = 0

    init(costMax: Int) { self.costMax = costMax }

    /// Returns a value, without counting this as a use.
    func value(_ key: Key) -> Value? { (young[key] ?? old[key])?.value }

    /// Returns a value, which is then the most recently used.
    mutating func use(_ key: Key) -> Value? {
        if let item = young[key] { return item.value }
        guard let item = old.removeValue(forKey: key) else { return nil }
        add(key, item)
        return item.value
    }

    mutating func set(_ key: Key, to value: Value, cost: Int) {
        add(key, Item(value: value, cost: cost))
    }

    mutating func remove(_ key: Key) {
        if let item = young.removeValue(forKey: key) { youngCost -= item.cost }
        old[key] = nil
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
        youngCost = 0
    }

    /// A value of before that the older generation has is hidden by this one, and leaves with it.
    private mutating func add(_ key: Key, _ item: Item) {
        let replaced = young.updateValue(item, forKey: key)
        youngCost += item.cost - (replaced?.cost ?? 0)
        guard youngCost > costMax / 2 else { return }
        swap(&young, &old)
        // The next generation is about as large.
        young.removeAll(keepingCapacity: true)
        youngCost = 0
    }
}
