/// A place that most runs do not reach: a long swarm must reach each.
package enum Probe: String, Codable, CaseIterable, Comparable, Sendable {
    // Deaths.
    case deathInWrite, deathInWriteWithPower, deathWithEndInFlight, deathWithAlertInFlight
    case deathWithStartInFlight, deathBetweenAcceptanceAndAnswer, deathBeforeOutcomeIsWritten
    case deathOfAStart, deathSoonAfterAStart, deathDuringReadyCheck, deathDuringBossFight
    case deathWhileAHeroIsDown, deathDuringPushPause, deathDuringOutage, deathOnFullDisk
    case deathBeforeTokenReport, deathWhileDraining, deathWithClockStep, deathOfAnIdleServer
    case deathDuringWorldBoss, deathWithBroadcastInFlight

    // Apple.
    case goneForTokenReplacedInFlight, goneBeforeRegistration, tooManyForOneDevice
    case contentAgainAfterFailure, acceptedWithoutAnswer, expiredProviderToken
    case secondProviderToken, endAfterOutage, endToSecondToken, endRefused, hostPaused
    case alertWithheld, highBudgetSpent, startRepeated, startRefused, startWithoutAnswer
    case widgetReloaded, newTokensSlowed, badTokenTwice, payloadRefused
    case broadcastSent, broadcastAgain, broadcastEnded

    // The store.
    case requestRefusedByStore, ballastFreed, storeRecovered, damageRefused, damageHarmless
    case partyFrozen, secondOwnerTakesOver, syncFailed, writeFailed, lateCommit

    // Clocks.
    case stepSeen, timestampLeads, stoodStill

    // People and stories.
    case partyBusy, staleRevision, joinedAdventure, leaderLeft, heroStayed, readyCheckFailed
    case lastStandAlert, helpAlert, dangerAlert, secondWind, fled, partyLost, timeIsUp, boldWay
    case lootForFriend, guardTaken, packPublished, packRefused, owedDuringPause, sameKeySameResult
    case sameKeyAfterDeath, dismissedInFlight, languageChangedInFlight, cardReconciled
    case endedByMaster, cardForNextAdventure, worldBossHit, worldBossFell
    case consoleTold

    package static func < (left: Probe, right: Probe) -> Bool { left.rawValue < right.rawValue }
}

/// How often a run has reached each probe.
package struct ProbeCounts: Equatable, Sendable {
    package private(set) var counts: [Probe: Int] = [:]

    package init() {}

    package mutating func hit(_ probe: Probe) { counts[probe, default: 0] += 1 }

    /// Those that were reached.
    package var probes: Set<Probe> { Set(counts.keys) }
}
