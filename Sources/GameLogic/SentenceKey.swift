// The keys of what a story says. The words are texts of packs, and of `base.json` for all packs:
// "slime.hits" is base's, "stolen-pie/2.magpie.hits" the pack's own.

extension PartyEvent.Kind {
    /// The key of the event's sentence, as the party sees it; `nil`: a message brings its own words.
    package var sentenceKey: String? {
        switch self {
        case .adventureBegan(let pack): "\(pack).begins"
        case .commonLootFound(_, let item), .rareLootFound(_, let item): "\(item).found"
        case .smallHeal: "hero.rests"
        case .hurt(_, by: let foe, damage: _): "\(foe).hits"
        case .criticallyHit(_, by: let foe, damage: _): "\(foe).crits"
        case .knockedDown: "hero.falls"
        case .potionUsed(by: let giver, on: let taker):
            giver.id == taker.id ? "hero.drinks" : "hero.gives"
        case .revived: "hero.rises"
        case .foeAppeared(let foe): "\(foe).comes"
        case .foeDefeated(let foe, by: _): "\(foe).falls"
        case .foeLeft(let foe): "\(foe).leaves"
        case .bossAppeared(let boss): "\(boss).comes"
        case .bossEnraged(let boss, phase: let phase): boss.rageKey(inPhase: phase)
        case .bossDefeated(let boss, by: _): "\(boss).falls"
        case .stormRaised: "storm.comes"
        case .heroJoined: "hero.joins"
        case .heroLeft: "hero.leaves"
        case .connectionLost: "hero.strays"
        case .connectionReturned: "hero.returns"
        case .partyDefeated: "party.falls"
        case .timeLimitReached(in: let pack): "\(pack).party.night"
        case .adventureOver(_, in: let pack): "\(pack).ends.party"
        case .leaderChanged: "hero.leads"
        case .potionsFound: "hero.potions"
        case .adventurePaused: "party.pauses"
        case .adventureResumed: "party.resumes"
        case .messageSent: nil
        case .bossGathers(let boss): "\(boss).gathers"
        case .bossSweeps(let boss): "\(boss).sweeps"
        case .inDanger: "hero.endangered"
        case .helpAsked: "hero.needs"
        case .lastStand: "party.lastStand"
        case .secondWind: "hero.wakes"
        case .taleTold(let tale): tale.sentenceKey
        case .forkAsked(let fork): "\(fork).ask"
        case .forkTaken(let fork, bold: let isBold): isBold ? "\(fork).bold" : "\(fork).safe"
        case .fleeAsked: "ask.flee"
        case .fled: "party.flees"
        case .guardAsked: "ask.guard"
        case .guarded: "hero.guards"
        case .lootAsked: "ask.loot"
        case .lootGiven: "hero.receives"
        case .breathTaken: "party.breathes"
        case .potionsRefilled: "party.refills"
        case .stopAsked: "ask.stop"
        case .stopped: "party.stops"
        case .worldHit: "party.strikes"
        case .worldBossWeakened(let boss, let stage): boss.weaknessKey(at: stage)
        case .worldBossDefeated(let boss): boss.weaknessKey(at: .fallen)
        case .lootForAll: "party.treasure"
        case .readyAsked: "ready.asked"
        case .readyCheckEnded: "ready.ended"
        case .heroStayed: "hero.stays"
        case .heroFollowed: "hero.follows"
        }
    }
}

extension PartyEvent.Kind {
    /// The conditions of a card's hero that make a difference to the event's sentence there.
    package var tellingConditions: [Member.Condition] {
        guard case .adventureOver = self else { return [.standing] }
        return [.standing, .knockedDown, .lostConnection(until: .zero)]
    }
}

extension Outcome {
    /// The key of the ending on the card of a hero in this condition, without the pack: "ends.won",
    /// "ends.won.down" or "ends.won.away".
    package func sentenceKey(for condition: Member.Condition) -> String {
        let ending: String
        switch self {
        case .bossDefeated, .worldBossDefeated: ending = "ends.won"
        case .timeLimit: ending = "ends.night"
        case .fled: ending = "ends.fled"
        case .stopped: ending = "ends.stopped"
        case .partyDefeated: return "ends.lost"
        case .endedByGameMaster, .abandoned: return "ends.ended"
        }
        switch condition {
        case .standing: return ending
        case .knockedDown: return "\(ending).down"
        case .lostConnection: return "\(ending).away"
        }
    }
}

extension Tale {
    var sentenceKey: String { "\(self).told" }
}

extension Boss {
    /// The key of the sentence that begins the boss's second phase, or a later one.
    fileprivate func rageKey(inPhase phase: Int) -> String {
        phase == 2 ? "\(self).enraged" : "\(self).enraged-\(phase)"
    }

    fileprivate func weaknessKey(at stage: WorldStage) -> String {
        "\(self).world-\(stage.rawValue)"
    }
}
