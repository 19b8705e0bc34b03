package import PartyStore
package import PushPolicy

extension PartyChange {
    /// Whether pushes may be sent with this change.
    package enum Sending: Hashable, Sendable {
        case allowed
        /// Only those to this environment: the other's host accepts nothing at the moment.
        case only(PushEnvironment)
        /// One push, to find out whether the host of this environment takes any; `nil`: of all.
        case probe(PushEnvironment?)
        /// APNs accepts nothing at the moment; due pushes stay due.
        case paused
    }

    /// What a change writes and sends.
    ///
    /// A class, because it is passed on several times and a copy of so large a value costs more.
    package final class Finished: Sendable {
        package let commit: PartyCommit
        package let pushes: [PlannedPush]
        package let starts: StartPlanner.Plan
        /// Starts that an activity has confirmed.
        package let startsReported: Int

        init(
            commit: PartyCommit, pushes: [PlannedPush], starts: StartPlanner.Plan,
            startsReported: Int
        ) {
            self.commit = commit
            self.pushes = pushes
            self.starts = starts
            self.startsReported = startsReported
        }
    }
}
