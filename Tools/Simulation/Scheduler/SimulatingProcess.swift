internal import Glibc

/// What a process needs before it simulates.
extension Scheduler {
    /// Why a process cannot simulate.
    package struct NotDeterministic: Error, CustomStringConvertible {
        package var description: String {
            """
            a simulation needs hash tables in the same order in every process: set \
            SWIFT_DETERMINISTIC_HASHING=1 in the environment before the process starts
            """
        }
    }

    /// The scheduler of this thread.
    package static var current: Scheduler {
        guard let scheduler = SimulatedExecutors.current else {
            preconditionFailure("this thread runs no simulation")
        }
        return scheduler
    }

    /// The scheduler of this thread, if it runs a world.
    package static var ofThread: Scheduler? { SimulatedExecutors.current }

    /// Replaces the process's executors, once. Threads without a world notice nothing.
    package static func install() throws(NotDeterministic) {
        guard getenv("SWIFT_DETERMINISTIC_HASHING") != nil else { throw NotDeterministic() }
        SimulatedExecutors.install()
        SimulatedDisk.register()
    }

    /// Jobs that other threads added to lanes of worlds, since the last call.
    package static func foreignJobs() -> [String] { SimulatedExecutors.takeForeign() }

    package static var foreignJobCount: Int { SimulatedExecutors.foreignCount }

    /// Counts what cannot be simulated; a run with such a count fails.
    package func trip(_ name: String, by callers: [String] = []) {
        guard burying == nil else { return }
        tripwires[name, default: 0] += 1
        if trippers.count < 10 { trippers.append(([name] + callers).joined(separator: " < ")) }
    }
}
