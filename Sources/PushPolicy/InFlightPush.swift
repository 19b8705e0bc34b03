/// A push that was handed to the client and has no outcome yet.
package struct InFlightPush: Hashable, Sendable {
    package enum Form: Hashable, Sendable, CaseIterable {
        case update, end
    }

    package let timestamp: Int64
    package let due: DueContent
    package let form: Form
    package let alertSequence: Int?
    /// When its token was put last, before this push.
    package let tokenConfirmedAt: WallTime
    /// Whether the client has since changed the token or the language of the push.
    package var isOutdated: Bool

    package init(
        timestamp: Int64, due: DueContent, form: Form, alertSequence: Int?,
        tokenConfirmedAt: WallTime, isOutdated: Bool = false
    ) {
        self.timestamp = timestamp
        self.due = due
        self.form = form
        self.alertSequence = alertSequence
        self.tokenConfirmedAt = tokenConfirmedAt
        self.isOutdated = isOutdated
    }

    /// The same push, with the mark that the client has changed its token or language.
    var outdated: Self {
        var same = self
        same.isOutdated = true
        return same
    }
}
