internal import GameLogic
internal import JSONReader

/// Reads the fields that only a boss rush has.
struct RushReader {
    static let counts = 2...ThingReader.bossesMax
    static let breaths = 15...300
    static let breathers = 0...1000

    let things: ThingReader
    let bosses: [Boss: BossTraits]

    func rush(_ fields: Node.Fields) -> Pack.Rush? {
        let node = fields.required("order")
        let entries = node?.list(in: Self.counts) ?? []
        let breath = fields.required("breathSeconds")?.integer(in: Self.breaths)
        let breather = fields.required("breatherPermille")?.integer(in: Self.breathers)
        let refill = fields.optional("refill").map { self.refill($0, of: entries.count) } ?? []
        let order = entries.compactMap(boss)
        guard let breath, let breather else { return nil }
        return Pack.Rush(order: order, breath: breath, breather: breather, refill: refill)
    }

    /// One of the bosses, in their order; it may come again.
    private func boss(_ node: Node) -> Boss? {
        node.text().flatMap { things.known(node, $0, in: bosses, "boss") }
    }

    /// There is no breath after the last boss.
    private func refill(_ node: Node, of count: Int) -> [Int] {
        var numbers: [Int] = []
        for entry in node.list(in: 0...ThingReader.bossesMax) {
            guard let number = entry.integer(in: 1...ThingReader.bossesMax - 1) else { continue }
            if (1...number).contains(count) {
                entry.fault("\(number) must be less than the number of bosses, \(count)")
            }
            if let last = numbers.last, number <= last {
                entry.fault("\(number) must be greater than the previous number")
            }
            numbers.append(number)
        }
        return numbers
    }
}
