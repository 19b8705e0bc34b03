package import GameLogic

/// A push to send once its party's change is durable: its timestamp is already in the committed
/// row. Updates, ends and starts, to devices and to channels.
package struct PlannedPush: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        case update
        case end(dismissalDate: WallTime)
        /// Apart, like `Recipient.device`: starts are rare, and each push is copied.
        indirect case start(PlannedStart)
    }

    /// When its delay began, for different questions. Two are distances from the first: each push is
    /// copied.
    package struct Times: Hashable, Sendable {
        /// When the oldest event in the push was committed.
        package let dueSince: WallTime
        /// When it was free to leave: what it waited before was the policy's gap, a pause that APNs
        /// or an owner asked for, or the app's token. From then on it is late: its latency.
        package var readyAt: WallTime { dueSince.adding(milliseconds: Int64(wait)) }
        /// The same, of the first push that tells players that their hero is knocked down, which
        /// waits for no policy; `nil`: it tells nobody so.
        package var knockedDownAt: WallTime? {
            fallWait == Self.noFall ? nil : dueSince.adding(milliseconds: Int64(fallWait))
        }

        private let wait: UInt32
        private let fallWait: UInt32

        private static let noFall = UInt32.max
        /// 49 days.
        private static let waitMax = Int64(noFall - 1)

        package init(dueSince: WallTime, readyAt: WallTime, knockedDownAt: WallTime? = nil) {
            func after(_ time: WallTime) -> UInt32 {
                UInt32(clamping: min(time.milliseconds - dueSince.milliseconds, Self.waitMax))
            }
            self.dueSince = dueSince
            wait = after(readyAt)
            fallWait = knockedDownAt.map(after) ?? Self.noFall
        }

        /// Those of a push that is free to leave when it becomes due.
        package init(at time: WallTime) { self.init(dueSince: time, readyAt: time) }
    }

    /// Who receives the outcome.
    package enum Recipient: Hashable, Sendable {
        case activity(ActivityID)
        indirect case device(StartDevice.Key)
    }

    package var event: Event
    package let recipient: Recipient
    package let target: PushTarget
    /// The environment of the target: it decides which host of Apple's the push goes to.
    package let environment: PushEnvironment
    /// When the token was put last, before this push.
    package let tokenConfirmedAt: WallTime
    package var content: LocalizableContent
    /// What it shows beside, with the times of the wall clock. Apart: each push is copied.
    package var details: CardDetails? {
        get { onlyDetails.first }
        set { onlyDetails = newValue.map { [$0] } ?? [] }
    }
    private var onlyDetails: [CardDetails]
    package let language: Language
    /// The number of the event that the content's sentence tells; 0: it tells none, or the last.
    package let tells: Int
    /// A start without an alert is not shown, because a Live Activity must not surprise anybody.
    package var alert: Alert?
    package let priority: PushPriority
    /// Whether APNs has accepted no push to the token yet, as far as its outbox knows.
    package let isFirst: Bool
    /// Seconds since 1970, strictly increasing for an activity (rule P1).
    package let timestamp: Int64
    package let staleDate: WallTime?
    package var relevanceScore: Int { Int(score) }
    private let score: UInt16
    /// Decides between activities of the same score: that of the newest activity is the highest.
    package let precedence: UInt64
    /// When APNs may stop trying.
    package let expiration: WallTime
    /// The party's version at which this content became due: the same content has the same number.
    /// 0 for a start.
    package let contentVersion: Int64
    package let times: Times
    /// The event of the alert: two alerts may go with the same content.
    package var alertSequence: Int? { alertNumber == 0 ? nil : alertNumber }
    /// 0: none.
    private let alertNumber: Int
    /// What the push costs its activity's budget; `nil`: it has none.
    package let payment: PushBudget.Payment?

    package init(
        event: Event, recipient: Recipient, target: PushTarget, environment: PushEnvironment,
        tokenConfirmedAt: WallTime, content: LocalizableContent, details: CardDetails? = nil,
        language: Language, tells: Int = 0,
        alert: Alert?, priority: PushPriority, isFirst: Bool = false, timestamp: Int64,
        staleDate: WallTime?, relevanceScore: Int, precedence: UInt64 = 0, expiration: WallTime,
        contentVersion: Int64,
        times: Times,
        alertSequence: Int? = nil, payment: PushBudget.Payment? = nil
    ) {
        self.event = event
        self.recipient = recipient
        self.target = target
        self.environment = environment
        self.tokenConfirmedAt = tokenConfirmedAt
        self.content = content
        onlyDetails = details.map { [$0] } ?? []
        self.language = language
        self.tells = tells
        self.alert = alert
        self.priority = priority
        self.isFirst = isFirst
        self.timestamp = timestamp
        self.staleDate = staleDate
        score = UInt16(relevanceScore)
        self.precedence = precedence
        self.expiration = expiration
        self.contentVersion = contentVersion
        self.times = times
        alertNumber = alertSequence ?? 0
        self.payment = payment
    }
}

extension PlannedPush {
    /// Returns a name that is the same for the same content, so that duplicates can be counted
    /// (promise PR4). The `apns-id` is derived from it.
    package func contentName(in party: PartyID) -> String {
        switch event {
        case .update: contentName("/update/")
        case .end: contentName("/end/")
        case .start(let start):
            "\(party)/start/\(start.sequence)/\(start.hero.id)/\(recipient)"
        }
    }

    /// The name of the push's activity in the ledger.
    package var ledgerName: ActivityID {
        switch (recipient, event) {
        case (.activity(let activity), _): activity
        case (.device(let device), .start(let start)):
            StartPlanner.ledgerName(of: start.hero.id, on: device.device)
        case (.device(let device), .update), (.device(let device), .end):
            ActivityID(device.device.rawValue)
        }
    }

    /// Appends, since every push has a name and an interpolation costs several times as much.
    private func contentName(_ event: String) -> String {
        var name = ""
        name.reserveCapacity(Self.nameBytes)
        name.append(recipient.description)
        name.append(event)
        name.append(String(contentVersion))
        if let alertSequence {
            name.append("/alert/")
            name.append(String(alertSequence))
        }
        return name
    }

    /// More than most names have.
    private static let nameBytes = 80
}

extension PlannedPush.Recipient: CustomStringConvertible {
    package var description: String {
        switch self {
        case .activity(let activity): activity.rawValue
        case .device(let device): "\(device.environment.rawValue)/\(device.device)"
        }
    }
}
