package import GameLogic
package import PushPolicy

/// A party as its shard keeps it and as it is read: the row with its activities.
package struct StoredParty: Hashable, Sendable {
    package let key: PartyKey
    /// 1 for a new party, one more with each commit.
    package var version: Int64
    package var party: Party
    package var clock: PartyClock
    /// In the order of their registration.
    package var activities: [LiveActivity]
    package var code: InviteCode
    package let createdAt: WallTime
    package var former: FormerMembers

    package var id: PartyID { party.id }
    package var inviteCode: String { code.text }

    package init(
        key: PartyKey, version: Int64, party: Party, clock: PartyClock,
        activities: [LiveActivity] = [], inviteCode: String, createdAt: WallTime,
        codeRenewedAt: WallTime? = nil, former: FormerMembers = FormerMembers()
    ) {
        self.key = key
        self.version = version
        self.party = party
        self.clock = clock
        self.activities = activities
        code = InviteCode(text: inviteCode, renewedAt: codeRenewedAt ?? createdAt)
        self.createdAt = createdAt
        self.former = former
    }
}

extension StoredParty {
    /// Erases what a player has chosen for these heroes, in the party and in what its activities
    /// show. Another hero of the same name keeps it.
    package mutating func erase(_ heroes: [Hero]) {
        party.erase(Set(heroes.map(\.id)))
        for name in heroes.map(\.name)
        where !party.heroes.contains(where: { $0.name == name }) {
            for index in activities.indices {
                activities[index].outbox = activities[index].outbox?
                    .replacing(name: name, by: Hero.erasedName)
            }
        }
    }
}
