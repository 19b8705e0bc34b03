package import PartyStore
package import PushPolicy

extension PartyChange {
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
