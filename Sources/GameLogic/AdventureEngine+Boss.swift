extension AdventureEngine {
    /// Ends the quest: a boss appears, and any other foe runs.
    mutating func bringBoss() {
        guard let boss = pick(from: Boss.allCases) else { return }
        adventure.phase = .boss(boss, health: Balance.bossHealth)
        adventure.fight = nil
        pause(QuestStage.bossPace)
        tell(.bossAppeared(boss))
    }

    /// Runs one step of the boss fight: each hero strikes; then the boss falls, rages or strikes
    /// back.
    mutating func tellBossBeat(_ boss: Boss, health: Int) {
        pause(QuestStage.bossPace)
        var left = health
        for index in standing {
            left -= blow(of: index)
            guard left > 0 else { return bossFalls(boss, by: index) }
        }
        adventure.phase = .boss(boss, health: left)
        if left < Balance.enragedBelow, !adventure.isBossEnraged {
            adventure.isBossEnraged = true
            tell(.bossEnraged(boss))
        } else {
            let percent = adventure.isBossEnraged ? Balance.enragedPercent : 100
            strike(as: boss.foe, percent: percent)
        }
    }

    /// Returns one hero's damage to the boss: a share of the party's blow, more with experience.
    private mutating func blow(of index: Int) -> Int {
        let bonus = min(max(party.members[index].hero.level - 1, 0), Balance.levelBonusMax)
        return draw(Balance.partyBlow) * (100 + bonus) / (100 * party.members.count)
    }

    private mutating func bossFalls(_ boss: Boss, by index: Int) {
        for member in party.members.indices { party.members[member].hero.learn(Boss.exp) }
        party.members[index].hero.learn(Boss.lastBlowExp)
        let tag = party.members[index].hero.tag
        tell(.bossDefeated(boss, by: tag))
        end(.bossDefeated(boss, by: tag))
    }
}
