internal import GameLogic
internal import PushPolicy

/// What one activity was owed, as JSON of schemas 1 to 6.
struct LegacyOutbox: Decodable {
    enum Form: String, Decodable {
        case update, end
    }

    enum RollOver: String, Decodable {
        case begun, done
    }

    struct Due: Decodable {
        let card: LegacyContent
        let version: Int64
        let since: Int64
        let priority: LegacyPriority
        let relevance: Int
        let expirationSeconds: Int64
    }

    struct PendingAlert: Decodable {
        let alert: LegacyAlert
        let sequence: Int
        let at: Int64
    }

    struct Flight: Decodable {
        let timestamp: Int64
        let content: Due
        let form: Form
        let alertSequence: Int?
        let tokenRegisteredAt: Int64
        let isOutdated: Bool
    }

    struct Shown: Decodable {
        let card: LegacyContent
        let version: Int64
    }

    struct Refusal: Decodable {
        let card: LegacyContent
        let form: Form
        let until: Int64?
    }

    struct Audience: Decodable {
        let tokenRegisteredAt: Int64
        let language: LegacyLanguage
    }

    struct Budget: Decodable {
        let spent: Int64
        let asOf: Int64
    }

    let activity: String
    let hero: String
    let startedAt: Int64
    let due: Due?
    let alert: PendingAlert?
    let flight: Flight?
    let accepted: Shown?
    let refused: Refusal?
    let ending: Due?
    let isEnded: Bool
    let rollOver: RollOver?
    let lastTimestamp: Int64
    let pausedUntil: Int64?
    let deadTokenAt: Int64?
    let audience: Audience?
    let budget: Budget
}

// MARK: Conversion to the policy's types

extension LegacyOutbox {
    var snapshot: OutboxSnapshot {
        OutboxSnapshot(
            hero: HeroID(hero), startedAt: WallTime(milliseconds: startedAt),
            due: due?.due, alert: alert?.pending, inFlight: flight?.push,
            accepted: accepted?.shown, refused: refused?.refusal, ending: ending?.due,
            isEnded: isEnded, rollOver: rollOver?.rollOver, lastTimestamp: lastTimestamp,
            pausedUntil: pausedUntil.map(WallTime.init(milliseconds:)),
            deadTokenAt: deadTokenAt.map(WallTime.init(milliseconds:)),
            addressee: audience?.addressee,
            budget: PushBudget.Snapshot(
                spent: budget.spent, asOf: WallTime(milliseconds: budget.asOf)),
            restraint: Restraint())
    }
}

extension LegacyOutbox.Due {
    fileprivate var due: DueContent {
        DueContent(
            content: card.content, version: version, since: WallTime(milliseconds: since),
            priority: priority.priority, relevance: relevance,
            expirationSeconds: expirationSeconds)
    }
}

extension LegacyOutbox.PendingAlert {
    fileprivate var pending: PendingAlert {
        PendingAlert(
            alert: alert.alert, sequence: sequence, at: WallTime(milliseconds: at))
    }
}

extension LegacyOutbox.Flight {
    fileprivate var push: InFlightPush {
        InFlightPush(
            timestamp: timestamp, due: content.due, form: form.form,
            alertSequence: alertSequence,
            tokenConfirmedAt: WallTime(milliseconds: tokenRegisteredAt),
            isOutdated: isOutdated)
    }
}

extension LegacyOutbox.Shown {
    fileprivate var shown: ActivityOutbox.Shown {
        ActivityOutbox.Shown(content: card.content, version: version)
    }
}

extension LegacyOutbox.Refusal {
    fileprivate var refusal: ActivityOutbox.Refusal {
        ActivityOutbox.Refusal(
            content: card.content, form: form.form, until: until.map(WallTime.init(milliseconds:)))
    }
}

extension LegacyOutbox.Audience {
    fileprivate var addressee: ActivityOutbox.Addressee {
        ActivityOutbox.Addressee(
            tokenRegisteredAt: WallTime(milliseconds: tokenRegisteredAt),
            language: language.language)
    }
}

extension LegacyOutbox.Form {
    fileprivate var form: InFlightPush.Form {
        switch self {
        case .update: .update
        case .end: .end
        }
    }
}

extension LegacyOutbox.RollOver {
    fileprivate var rollOver: ActivityOutbox.RollOver {
        switch self {
        case .begun: .begun
        case .done: .done
        }
    }
}
