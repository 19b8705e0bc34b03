internal import GameLogic

/// What a party's change says of the world boss; most changes nothing.
struct WorldRows: Sendable {
    /// What its blows take from the pool.
    private(set) var points: Int64 = 0
    /// An adventure of the party is over; it may have been a shift.
    private(set) var end: End?
    /// A shift that begins: its pack. Refused with `.rule` when no round is open.
    private(set) var pack: String?
    /// Who begins a shift. Refused with `.rule` when one of them has none left.
    private(set) var heroes: [HeroID] = []
    /// What the party has been told.
    private(set) var stage: WorldStage?
    /// Refused with `.exists` when it has been given before.
    private(set) var reward: (event: Int, hero: HeroID)?

    enum End: Hashable, Sendable {
        /// The heroes who were there have played a whole shift.
        case whole([HeroID])
        case broken
    }

    /// `nil` when the change says nothing.
    init?(_ commit: PartyCommit) {
        for event in commit.events {
            if case .worldHit(points: let points) = event.kind { self.points += Int64(points) }
            guard case .adventureOver(let outcome, in: _) = event.kind else { continue }
            let heroes = commit.stored.party.adventurers.map(\.hero.id)
            end = outcome.isOfWholeShift ? .whole(heroes) : .broken
        }
        let party = commit.stored.party
        let command = commit.command?.command
        if let pack = party.adventure?.pack, party.isOnAdventure, pack.kind == .worldBoss {
            switch command {
            case .start, .finishReadyCheck:
                self.pack = pack.reference.id
                heroes = party.members.map(\.hero.id)
            case .join(let hero): heroes = [hero.id]
            case .follow(let hero, at: _): heroes = [hero]
            case .leave, .kick, .promote, .claimLead, .disband, .checkReadiness,
                .cancelReadyCheck, .usePotion, .answer, .change, .summonBoss, .dropLoot,
                .raiseStorm, .end, .arrange, .worldStage, nil:
                break
            }
        }
        if case .worldStage(let stage)? = command { self.stage = stage }
        if case .change(let hero, .worldReward(let event, _, _))? = command {
            reward = (event, hero)
        }
        if points == 0, end == nil, !mayBeRefused { return nil }
    }

    var mayBeRefused: Bool { pack != nil || !heroes.isEmpty || stage != nil || reward != nil }
}

extension Outcome {
    /// Whether who was there at the end has played a whole shift.
    fileprivate var isOfWholeShift: Bool {
        switch self {
        case .bossDefeated, .worldBossDefeated, .partyDefeated, .timeLimit: true
        case .endedByGameMaster, .abandoned, .fled, .stopped: false
        }
    }
}
