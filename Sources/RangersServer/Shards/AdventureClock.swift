internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// The clock of an adventure that runs or is paused.
extension PartyClock {
    /// No pause is longer, in milliseconds, whatever a clock that was set back says.
    private static let pauseMax = Int64(Arrangement.pauseMinutes.upperBound) * 60_000

    /// Shifts the clock where it stood still or was set back: the wall clock may have been stepped
    /// while the server was away (PR12), or the server was away too long to catch up.
    mutating func follow(_ party: Party, at now: WallTime) {
        guard let adventure = party.adventure, party.isOnAdventure else { return }
        let due = party.nextChangeAt ?? adventure.advancedTo
        let lateness = now.milliseconds - wallTime(of: due).milliseconds
        let ahead = wallTime(of: adventure.advancedTo).milliseconds - now.milliseconds
        if lateness > PartyChange.catchUpMax {
            shift(byMilliseconds: lateness)
        } else if let until = pausedUntil(at: now) {
            let left = until.milliseconds - now.milliseconds
            shift(byMilliseconds: min(0, Self.pauseMax - left))
        } else if ahead > 0 {
            shift(byMilliseconds: -ahead)
        }
    }
}

extension StoredParty {
    /// Whether the adventure must begin, advance or end before the party can take a command.
    func isBehind(at now: WallTime) -> Bool {
        guard let next = party.nextChangeAt else { return readyCheckOver(at: now) != nil }
        return next <= clock.gameTime(at: now) || clock.dueEnding(at: now) != nil
    }

    /// Returns the ready check that is over now: its time is, or all heroes are ready.
    func readyCheckOver(at now: WallTime) -> ReadyCheck? {
        party.isReadyCheckOver(at: now.milliseconds) ? party.readyCheck : nil
    }

    /// Returns how the adventure ends now, because the pause before its end is over.
    func dueEnding(at now: WallTime) -> Arrangement.Ending? {
        party.isOnAdventure ? clock.dueEnding(at: now) : nil
    }

    /// Refuses pauses that would take too long together, and the end of none. The engine has no
    /// clock.
    func admit(_ arrangement: Arrangement, at now: WallTime) throws(RuleError) {
        guard party.isOnAdventure else { throw .noAdventure }
        switch arrangement {
        case .pause(let minutes, then: nil):
            let left = clock.pauseLeft(at: now) / 60_000
            guard minutes <= left else { throw .pausedTooLong(minutesLeft: Int(left)) }
        case .resume:
            guard clock.pausedUntil(at: now) != nil else { throw .notPaused }
        case .boss, .item, .potions, .storm, .heal, .end, .pause, .message: break
        }
    }
}
