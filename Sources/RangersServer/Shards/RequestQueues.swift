/// Parties with requests, in the order of arrival. Those of callers come first: nobody waits for the
/// server's own, of which there may be thousands at once.
///
/// Confined to the shard, like the parties.
struct RequestQueues {
    private var next = Queue<LiveParty>()
    /// A party that has moved to `next` leaves an entry here, which is skipped.
    private var later = Queue<LiveParty>()

    var isEmpty: Bool { next.isEmpty && later.isEmpty }

    /// Adds a party with requests, unless it is already in its queue or has to wait.
    mutating func add(_ party: LiveParty) {
        guard party.isIdle else { return }
        switch (party.queued, party.urgency) {
        case (.nowhere, .later):
            party.queued = .later
            later.append(party)
        case (.nowhere, .next), (.later, .next):
            party.queued = .next
            next.append(party)
        case (_, .nowhere), (.later, .later), (.next, .later), (.next, .next): break
        }
    }

    /// Removes and returns the oldest request of the party that has waited longest with one of a
    /// caller.
    mutating func takeNext() -> (LiveParty, ChangeRequest)? {
        while let party = next.popFirst() {
            if let request = take(from: party, in: .next) { return (party, request) }
        }
        return nil
    }

    /// Removes and returns the oldest request of the party that has waited longest with requests of
    /// the server's own only.
    mutating func takeLater() -> (LiveParty, ChangeRequest)? {
        while let party = later.popFirst() {
            if let request = take(from: party, in: .later) { return (party, request) }
        }
        return nil
    }

    private func take(from party: LiveParty, in queue: LiveParty.Queued) -> ChangeRequest? {
        guard party.queued == queue else { return nil }
        party.queued = .nowhere
        return party.isIdle && !party.requests.isEmpty ? party.requests.removeFirst() : nil
    }
}
