internal import Isolation
internal import PushPolicy

/// The clock of the database that several servers share: read now and then, and continued by this
/// machine's time since its start, which never steps.
final class DatabaseClock: Sendable {
    /// Stands for the start of a machine in what is kept of the time: there is one database.
    static let bootID = "database"

    private let machine: ServerClock.Machine
    /// What the database's clock showed when the machine's time since its start was 0: once, for
    /// what must not step, and as of the newest reading.
    private let origin: Int64
    private let newest: Locked<Int64>

    /// Creates a clock that showed `reading`, in milliseconds since 1970, at `time`, in milliseconds
    /// since the machine's start.
    init(on machine: ServerClock.Machine, reading: Int64, at time: Int64) {
        self.machine = machine
        origin = reading - time
        newest = Locked(reading - time)
    }

    /// Milliseconds that go on as the machine's time since its start does.
    var sinceBoot: Int64 { origin + machine.sinceBoot() }

    /// The time of the database's clock.
    var wall: WallTime {
        WallTime(milliseconds: newest.withLock { $0 } + machine.sinceBoot())
    }

    /// Follows a step of the database's clock. A difference that the milliseconds which the reading
    /// took explain is none.
    func note(_ reading: Int64, at time: Int64, within way: Int64) {
        guard way < ServerClock.stepMin else { return }
        newest.withLock { newest in
            // `time` is that of `sinceBoot`.
            let step = reading - (time - origin) - newest
            if abs(step) >= ServerClock.stepMin { newest += step }
        }
    }
}
