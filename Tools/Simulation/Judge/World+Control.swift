internal import Glibc
internal import Isolation

/// What the world does wrong on purpose.
extension World {
    /// Counts the runs of a process.
    private static let runs = Locked(0)
    private static let rarity = 37

    func beginControl() {
        switch plan.control {
        case .lyingDisk: disk.fault.lies = true
        case .realClock:
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
        case .unevenWorld:
            let number = Self.runs.withLock { runs in
                runs += 1
                return runs
            }
            scheduler.trace.note(.other, UInt64(number))
        case .swallowingApple, .doublingApple, nil: break
        }
    }

    /// How often a push that Apple accepts arrives: once, but for controls.
    func arrivals(ofAccepted number: Int) -> Int {
        guard number % Self.rarity == 0, !isCalm else { return 1 }
        return switch plan.control {
        case .swallowingApple: 0
        case .doublingApple: 2
        case .lyingDisk, .realClock, .unevenWorld, nil: 1
        }
    }
}
