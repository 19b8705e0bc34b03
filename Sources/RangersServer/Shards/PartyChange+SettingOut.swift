package import GameLogic
internal import PartyStore
internal import PushPolicy

/// The adventure that ends a ready check.
enum StartOfCheck {
    case untried
    /// The rules of the world boss have refused it.
    case refused
}

extension PartyChange {
    /// Starts an adventure whose clock runs at the given speed (game milliseconds per second). The
    /// command is logged with the time of the previous adventure.
    package mutating func start(
        seed: UInt64, in pack: Pack, _ difficulty: Difficulty = .normal,
        millisecondsPerSecond: Int64
    ) throws(RuleError) {
        let departure = Homecoming(to: stored, at: now).departure(at: difficulty)
        try apply(.start(seed: seed, pack, departure))
        beginClock(millisecondsPerSecond)
    }

    /// Ends the ready check that is over: the party sets out, or stays. A refused start
    /// is not tried again: no world boss can be fought now, or not by all.
    mutating func endReadyCheck(
        millisecondsPerSecond: Int64, after start: StartOfCheck
    ) throws(RuleError) {
        guard let plan = stored.readyCheckOver(at: now)?.plan else { return }
        guard start == .untried else { return try apply(.cancelReadyCheck) }
        let departure = Homecoming(to: stored, at: now).departure(at: plan.difficulty)
        try apply(.finishReadyCheck(departure))
        if party.isOnAdventure { beginClock(millisecondsPerSecond) }
    }

    private mutating func beginClock(_ millisecondsPerSecond: Int64) {
        removeEndedActivities()
        stored.clock = PartyClock(beganAt: now, millisecondsPerSecond: millisecondsPerSecond)
    }
}
