package import PushPolicy

/// A push in the journal: that it was sent, since when it could be, and what it cost.
package struct JournalPush: Hashable, Sendable {
    package enum Form: String, Sendable, CaseIterable {
        case update, end, start
    }

    package let activity: ActivityID
    /// Seconds since 1970; identifies the push among those of its activity.
    package let timestamp: Int64
    /// When it was free to leave.
    package let readyAt: WallTime
    package let form: Form
    /// The number of the event that it told; 0: none, or the last.
    package let tells: Int
    package let priority: PushPriority
    package let carriesAlert: Bool
    /// `nil`: the push has no budget.
    package let payment: PushBudget.Payment?

    package init(
        activity: ActivityID, timestamp: Int64, readyAt: WallTime, form: Form, tells: Int = 0,
        priority: PushPriority, carriesAlert: Bool, payment: PushBudget.Payment?
    ) {
        self.activity = activity
        self.timestamp = timestamp
        self.readyAt = readyAt
        self.form = form
        self.tells = tells
        self.priority = priority
        self.carriesAlert = carriesAlert
        self.payment = payment
    }

    package init(_ push: borrowing PlannedPush) {
        let form: Form =
            switch push.event {
            case .update: .update
            case .end: .end
            case .start: .start
            }
        self.init(
            activity: push.ledgerName, timestamp: push.timestamp, readyAt: push.times.readyAt,
            form: form, tells: push.tells, priority: push.priority, carriesAlert: push.alert != nil,
            payment: push.payment)
    }
}

/// The response to a push, in the journal.
package struct JournalResponse: Hashable, Sendable {
    package let activity: ActivityID
    /// The push's timestamp.
    package let timestamp: Int64
    package let response: PushResponse

    package init(activity: ActivityID, timestamp: Int64, response: PushResponse) {
        self.activity = activity
        self.timestamp = timestamp
        self.response = response
    }
}

/// A push of the ledger, with its response if that is known.
package struct LoggedPush: Hashable, Sendable {
    package let push: JournalPush
    /// When it was committed, just before it was sent.
    package let at: WallTime
    package internal(set) var response: PushResponse?
}
