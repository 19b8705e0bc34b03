package import GameLogic

/// The decision on one event for one activity: a row of the ledger (B7). It contains no sentence:
/// `rule(for:)` makes it when the ledger is read.
package struct Decision: Hashable, Sendable {
    package enum Disposition: String, Hashable, Sendable, CaseIterable {
        /// A push became due for the event.
        case sent
        /// The event joins a push that was already due.
        case merged
        /// The event waits for a token, a pause or the clock.
        case deferred
        /// The event will not be sent.
        case dropped
    }

    package let sequence: Int
    package let activity: ActivityID
    package let disposition: Disposition
    package let priority: PushPriority
    package let carriesAlert: Bool
    /// What the card tells after the event's step; `nil`: the event is not the card's.
    package let tells: News.Mark?
    package let notes: Notes
    /// The number in a note on the guard; 0 elsewhere.
    package let limit: Int

    package init(
        sequence: Int, activity: ActivityID, disposition: Disposition, priority: PushPriority,
        carriesAlert: Bool, tells: News.Mark? = nil, notes: Notes, limit: Int = 0
    ) {
        self.sequence = sequence
        self.activity = activity
        self.disposition = disposition
        self.priority = priority
        self.carriesAlert = carriesAlert
        self.tells = tells
        self.notes = notes
        self.limit = limit
    }
}

extension Decision {
    /// Returns the rules behind the decision, in words: "common loot can wait (Q1); the
    /// content is unchanged (L13)".
    ///
    /// - Parameter kind: The event's kind; `nil` when the event is no longer kept.
    /// - Returns: The policy's sentence on the event, then one part for each note.
    package func rule(for kind: PartyEvent.Kind?) -> String {
        let event = notes.isDisjoint(with: .ofStarts) ? [why(kind)] : []
        return (event + whoseNews + notes.words(limit: limit)).joined(separator: "; ")
    }

    /// Whether the card tells the event, or what instead, and why.
    private var whoseNews: [String] {
        guard let tells else { return [] }
        let told: String
        switch tells.sequence {
        case sequence: told = "the card tells it"
        case 0: told = "the card keeps telling what lasts"
        default: told = "the card tells event \(tells.sequence) instead"
        }
        return ["\(told): \(tells.rank.words) (C7)"]
    }

    private func why(_ kind: PartyEvent.Kind?) -> String {
        if notes.contains(.forSpectators) { return Rule.Tone.broadcast.why("") }
        return kind.map { Policy.rule(for: $0).why } ?? "the event is no longer kept"
    }
}

extension Decision {
    /// The reasons for a decision: each bit is one part of the ledger's sentence, in the sentence's
    /// order.
    ///
    /// The bits are stored. An obsolete bit keeps its number, which is never reused.
    package struct Notes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The policy's sentence is the one for spectators (`Recipient`), whatever the event.
        package static let forSpectators = Self(bit: 0)
        package static let mutedByRevival = Self(bit: 1)
        package static let mutedByEnd = Self(bit: 2)
        package static let unchanged = Self(bit: 3)
        package static let waitsForToken = Self(bit: 4)
        package static let waitsForNewToken = Self(bit: 5)
        package static let waitsForPause = Self(bit: 6)
        package static let waitsForClock = Self(bit: 7)
        package static let waitsForRetry = Self(bit: 8)
        package static let ends = Self(bit: 9)
        package static let overBudget = Self(bit: 10)
        package static let isGone = Self(bit: 11)
        package static let hasEnded = Self(bit: 12)
        package static let heroIsElsewhere = Self(bit: 13)
        package static let startsForAdventure = Self(bit: 14)
        package static let startsForRollOver = Self(bit: 15)
        package static let startIsPending = Self(bit: 16)
        package static let heldForHour = Self(bit: 17)
        package static let heldForDay = Self(bit: 18)
        package static let mutedForInability = Self(bit: 19)
        package static let mutedByAlertLimit = Self(bit: 20)
        package static let mutedAsIgnored = Self(bit: 21)
        package static let mutedInQuietHours = Self(bit: 22)
        package static let mutedByOrder = Self(bit: 23)
        package static let waitsForPage = Self(bit: 24)
        package static let startIsUnadopted = Self(bit: 25)
        package static let startsAreStopped = Self(bit: 26)
        package static let asksInstead = Self(bit: 27)

        /// The notes on a push-to-start, whose sentence omits that of the event.
        static let ofStarts: Self = [
            .startsForAdventure, .startsForRollOver, .startIsPending, .startIsUnadopted,
            .startsAreStopped, .heldForHour, .heldForDay,
        ]

        private init(bit: UInt32) { self.init(rawValue: 1 << bit) }
    }
}

extension Decision.Notes {
    /// Why the event waits, in words; `nil`: it does not.
    package var reasonToWait: String? {
        let waiting = intersection(Self.ofWaiting)
        return waiting.isEmpty ? nil : waiting.words(limit: 0).joined(separator: "; ")
    }

    private static let ofWaiting: Self = [
        .waitsForToken, .waitsForNewToken, .waitsForPause, .waitsForClock, .waitsForRetry,
        .waitsForPage,
    ]

    /// Returns the notes' parts of the sentence, in the order of the bits.
    func words(limit: Int) -> [String] {
        var words = Self.table.filter { contains($0.note) }.map(\.words)
        if contains(.heldForHour) {
            words.append("held: \(PushToStartGuard.Limit.anHour(limit)) (A7)")
        }
        if contains(.heldForDay) {
            words.append("held: \(PushToStartGuard.Limit.aDay(limit)) (A7)")
        }
        return words
    }

    private static let table: [(note: Self, words: String)] = [
        (.mutedByRevival, "no alert: the hero was revived at once (Q9)"),
        (.mutedByEnd, "no alert: the activity ends (Q9)"),
        (.mutedForInability, "no alert: without a potion the player can do nothing (Q9)"),
        (
            .mutedByAlertLimit,
            "no alert: at most \(Restraint.alertsInTenMinutes) in ten minutes and "
                + "\(Restraint.alertsInHour) in an hour (Q9)"
        ),
        (
            .mutedAsIgnored,
            "no alert: the player did nothing after the last \(Restraint.ignoredMax) (Q9)"
        ),
        (.mutedByOrder, "no alert: the hero drinks by its standing order (Q9)"),
        (.mutedInQuietHours, "no alert: the phone has quiet hours (Q9)"),
        (.asksInstead, "an open question stands in its place (C7)"),
        (.unchanged, "the content is unchanged (L13)"),
        (.waitsForToken, "waits for a push token (T2)"),
        (.waitsForNewToken, "waits for a new push token (T5)"),
        (.waitsForPage, "waits for its page (T2)"),
        (.waitsForPause, "waits: Apple asked for a pause"),
        (.waitsForClock, "waits for the clock (P1)"),
        (.waitsForRetry, "waits: Apple failed with the same content"),
        (.ends, "the activity ends (L12)"),
        (.overBudget, "the budget is spent, so the priority is low (Q4)"),
        (.isGone, "the activity is gone from the device (L11)"),
        (.hasEnded, "the activity has ended (L12)"),
        (.heroIsElsewhere, "the hero is not in the party"),
        (
            .startsForAdventure,
            "an activity starts by push on a device without one of this hero (A7)"
        ),
        (
            .startsForRollOver,
            "the activity reaches its age limit, and a new one follows it (A9)"
        ),
        (
            .startIsPending,
            "another start is pending on this device (A7)"
        ),
        (
            .startIsUnadopted,
            "a start of this adventure went to this device, and its app has not been in contact "
                + "since (A7)"
        ),
        (
            .startsAreStopped,
            "no activity followed the last \(DeviceStarts.unfollowedMax) starts on this device: "
                + "its app must register its push-to-start token again (A7)"
        ),
    ]
}
