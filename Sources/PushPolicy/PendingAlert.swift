/// An alert that has not been delivered.
package struct PendingAlert: Hashable, Sendable {
    package let alert: Alert
    /// The event that it reports.
    package let sequence: Int
    package let at: WallTime

    package init(alert: Alert, sequence: Int, at: WallTime) {
        self.alert = alert
        self.sequence = sequence
        self.at = at
    }

    func isStale(at now: WallTime) -> Bool {
        now.milliseconds - at.milliseconds > ActivityOutbox.alertAgeMax
    }
}
