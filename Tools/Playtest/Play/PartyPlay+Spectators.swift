internal import GameLogic

/// A party's spectators: a phone that subscribes to its channel (A8).
extension PartyPlay {
    /// Opens the party's channel before its adventure, and subscribes one phone.
    func seatSpectators(of group: inout Group) async throws {
        guard plan.audience == .playersAndSpectators, let phones, !group.isResumed else { return }
        let leader = group.bots[0]
        let party = group.party
        let open = try await persistence.insist {
            try await leader.api.openChannel(of: party, language: leader.language)
        }
        group.spectator = phones.add(
            Phone(name: "a spectator's phone", activity: open.channel, startedAt: now()),
            token: open.channel)
    }
}

extension Group {
    /// Checks a spectator's phone at the end: it shows the leader's content, it has ended, and it
    /// received no alert and no high priority.
    mutating func judge(spectator phone: Phone, card: CardState?, faults: Int) {
        result.violations += phone.violations.map { "\(phone.name): \($0)" }
        if !phone.hasEnded { violation("\(phone.name): the card has not ended") }
        if phone.repeatedEnds > faults {
            violation("\(phone.name): the end came \(phone.repeatedEnds + 1) times")
        }
        if card == nil || phone.card != card {
            violation("\(phone.name) does not show the leader's last card")
        }
        if phone.alerts > 0 { violation("\(phone.name) rang \(phone.alerts) times") }
        let loud = phone.received.count { $0.priority > Invariants.spectatorPriorityMax }
        if loud > 0 { violation("\(phone.name): \(loud) broadcasts were in a hurry") }
    }
}
