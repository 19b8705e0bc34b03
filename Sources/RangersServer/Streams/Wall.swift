internal import GameLogic
internal import PushPolicy

/// The wall of parties as all consoles share it: a numbered slot for each party, with the message
/// that tells its newest state. A listener needs no more than the numbers of those that it lacks.
///
/// A party that is gone keeps its slot for a while, so that a listener who was away learns of it.
struct Wall: Sendable {
    enum Stage: Sendable {
        /// Nobody looks at it.
        case off
        /// The parties in memory are being read.
        case loading
        /// Complete since this number: who knows as much can be told the rest.
        case complete(since: Int64)
    }

    private struct Slot {
        let party: PartyID
        var message: [UInt8]
        /// The number of its newest change.
        var number: Int64
        /// When its party left; `nil`: it is there.
        var goneAt: WallTime?
        /// The epoch of the node that has the party; `nil`: this one.
        let node: Int64?
    }

    /// The other nodes whose walls are part of it.
    var nodes: Set<Int64> = []

    private(set) var stage = Stage.off
    private var slots: [Slot?] = []
    private var places: [PartyID: Int] = [:]
    private var free: [Int] = []

    /// The parties that are there or were until a moment ago.
    var count: Int { places.count }

    /// The message of a slot.
    func message(of slot: Int) -> [UInt8] { slots[slot]?.message ?? [] }

    mutating func load() { stage = .loading }

    mutating func complete(since number: Int64) { stage = .complete(since: number) }

    mutating func clear() { self = Wall() }

    /// Sets a party's newest message. Returns its slot.
    mutating func set(
        _ party: PartyID, _ message: [UInt8], number: Int64, of node: Int64? = nil
    ) -> Int {
        let slot = Slot(
            party: party, message: message, number: number, goneAt: nil, node: node)
        if let place = places[party] {
            slots[place] = slot
            return place
        }
        let place = free.popLast() ?? slots.count
        if place == slots.count { slots.append(slot) } else { slots[place] = slot }
        places[party] = place
        return place
    }

    /// Notes that a party has left the wall of a node. Returns its slot; `nil`: it was not there, or
    /// another node has it by now.
    mutating func remove(
        _ party: PartyID, _ message: [UInt8], number: Int64, at now: WallTime,
        of node: Int64? = nil
    ) -> Int? {
        guard let place = places[party], let slot = slots[place], slot.goneAt == nil,
            slot.node == node
        else { return nil }
        slots[place] = Slot(
            party: party, message: message, number: number, goneAt: now, node: node)
        return place
    }

    /// The parties that are there and that another node has.
    func parties(of node: Int64) -> [PartyID] {
        slots.compactMap { $0?.node == node && $0?.goneAt == nil ? $0?.party : nil }
    }

    /// Returns what another node lacks of this node's wall; `nil`: it is not complete yet.
    func part(since number: Int64?, newest: Int64, max count: Int) -> WallPart? {
        guard case .complete(let since) = stage else { return nil }
        let known = number.flatMap { $0 >= since ? $0 : nil }
        var part = WallPart(isAnew: known == nil, number: newest)
        for case let slot? in slots where slot.node == nil && slot.number > known ?? -1 {
            if slot.goneAt != nil {
                part.gone.append(slot.party)
            } else if part.tiles.count < count {
                part.tiles.append((slot.party, slot.message))
            }
        }
        return part
    }

    /// Forgets who left before a time, unless a listener has yet to learn of it. Who was away since
    /// before that gets the whole wall.
    mutating func forget(leftBefore time: WallTime, unless isOwed: (Int) -> Bool) {
        guard case .complete(var since) = stage else { return }
        for place in slots.indices {
            guard let slot = slots[place], let goneAt = slot.goneAt, goneAt < time, !isOwed(place)
            else { continue }
            since = max(since, slot.number)
            slots[place] = nil
            places[slot.party] = nil
            free.append(place)
        }
        stage = .complete(since: since)
    }

    /// Returns the slots that have changed since a number; `nil`: that is not known.
    func changed(since number: Int64) -> SlotSet? {
        guard case .complete(let since) = stage, number >= since else { return nil }
        return slots { $0.number > number }
    }

    /// The slots of all parties that are there.
    var present: SlotSet { slots { $0.goneAt == nil } }

    private func slots(where isMeant: (Slot) -> Bool) -> SlotSet {
        var found = SlotSet()
        for place in slots.indices {
            if let slot = slots[place], isMeant(slot) { found.insert(place) }
        }
        return found
    }
}
