package import GameLogic

/// The stored form of an outbox, which stores write and read, so that the outbox's state stays private.
package struct OutboxSnapshot: Hashable, Sendable {
    package let hero: HeroID
    package let startedAt: WallTime
    package let due: DueContent?
    package let alert: PendingAlert?
    package let inFlight: InFlightPush?
    package let accepted: ActivityOutbox.Shown?
    package let refused: ActivityOutbox.Refusal?
    package let ending: DueContent?
    package let untold: [News]
    package let isEnded: Bool
    package let rollOver: ActivityOutbox.RollOver?
    package let lastTimestamp: Int64
    package let pausedUntil: WallTime?
    package let deadTokenAt: WallTime?
    package let refusals: OwnRefusals
    package let addressee: ActivityOutbox.Addressee?
    package let budget: PushBudget.Snapshot
    package let restraint: Restraint

    package init(
        hero: HeroID, startedAt: WallTime, due: DueContent?, alert: PendingAlert?,
        inFlight: InFlightPush?, accepted: ActivityOutbox.Shown?, refused: ActivityOutbox.Refusal?,
        ending: DueContent?, untold: [News] = [],
        isEnded: Bool, rollOver: ActivityOutbox.RollOver?, lastTimestamp: Int64,
        pausedUntil: WallTime?,
        deadTokenAt: WallTime?, refusals: OwnRefusals = OwnRefusals(),
        addressee: ActivityOutbox.Addressee?, budget: PushBudget.Snapshot, restraint: Restraint
    ) {
        self.hero = hero
        self.startedAt = startedAt
        self.due = due
        self.alert = alert
        self.inFlight = inFlight
        self.accepted = accepted
        self.refused = refused
        self.ending = ending
        self.untold = untold
        self.isEnded = isEnded
        self.rollOver = rollOver
        self.lastTimestamp = lastTimestamp
        self.pausedUntil = pausedUntil
        self.deadTokenAt = deadTokenAt
        self.refusals = refusals
        self.addressee = addressee
        self.budget = budget
        self.restraint = restraint
    }
}

extension ActivityOutbox {
    /// What the device shows, and the party's version that created it.
    package struct Shown: Hashable, Sendable {
        package let content: LocalizableContent
        /// What the content's sentence tells.
        package let news: News.Mark
        package let version: Int64

        package init(
            content: LocalizableContent, telling news: News.Mark = .none, version: Int64
        ) {
            self.content = content
            self.news = news
            self.version = version
        }
    }

    /// Content that Apple refused: to send again only after `until` (promise PR8), or never.
    package struct Refusal: Hashable, Sendable {
        package let content: LocalizableContent
        package let until: WallTime?
        /// Here it takes no room of its own.
        package let form: InFlightPush.Form

        package init(content: LocalizableContent, form: InFlightPush.Form, until: WallTime?) {
            self.content = content
            self.form = form
            self.until = until
        }
    }

    /// What went wrong with the newest pushes. Almost no activity has any of it at a time.
    struct Setbacks: Hashable, Sendable, Usual {
        static let usual = Setbacks()
        var refused: Refusal?
        /// Until when nothing is sent: Apple asked for a pause, or the next timestamp would lead
        /// the wall clock by too much.
        var pausedUntil: WallTime?
        /// When the token that Apple reports as dead, or that was given up, had been put last.
        var deadTokenAt: WallTime?
        /// Of the activity's whole life.
        var refusals = OwnRefusals()

        init() {}

        init(
            refused: Refusal? = nil, pausedUntil: WallTime? = nil, deadTokenAt: WallTime? = nil,
            refusals: OwnRefusals = OwnRefusals()
        ) {
            self.refused = refused
            self.pausedUntil = pausedUntil
            self.deadTokenAt = deadTokenAt
            self.refusals = refusals
        }
    }

    /// How far an activity has rolled over to a new one.
    package enum RollOver: Hashable, Sendable, CaseIterable {
        /// A new activity may follow.
        case begun
        /// A new activity has followed; the old one is dismissed at once.
        case done
    }

    /// Whom content is written for. When it changes, the content must be sent again.
    package struct Addressee: Hashable, Sendable {
        package let tokenRegisteredAt: WallTime
        package let language: Language

        package init(tokenRegisteredAt: WallTime, language: Language) {
            self.tokenRegisteredAt = tokenRegisteredAt
            self.language = language
        }
    }
}
