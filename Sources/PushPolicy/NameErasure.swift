internal import GameLogic

extension ActivityOutbox {
    /// The same outbox with another text in place of a hero's name, in all that it has sent or
    /// still has to send.
    package func replacing(name: String, by other: String) -> ActivityOutbox {
        ActivityOutbox(activity: activity, snapshot.replacing(name: name, by: other))
    }
}

extension OutboxSnapshot {
    fileprivate func replacing(name: String, by other: String) -> OutboxSnapshot {
        func replaced(_ due: DueContent) -> DueContent {
            var due = due
            due.content = due.content.replacing(name: name, by: other)
            return due
        }
        return OutboxSnapshot(
            hero: hero, startedAt: startedAt, due: due.map(replaced),
            alert: alert.map {
                PendingAlert(
                    alert: $0.alert.replacing(name: name, by: other), sequence: $0.sequence,
                    at: $0.at)
            },
            inFlight: inFlight.map {
                InFlightPush(
                    timestamp: $0.timestamp, due: replaced($0.due), form: $0.form,
                    alertSequence: $0.alertSequence, tokenConfirmedAt: $0.tokenConfirmedAt,
                    isOutdated: $0.isOutdated)
            },
            accepted: accepted.map {
                ActivityOutbox.Shown(
                    content: $0.content.replacing(name: name, by: other), telling: $0.news,
                    version: $0.version)
            },
            refused: refused.map {
                ActivityOutbox.Refusal(
                    content: $0.content.replacing(name: name, by: other), form: $0.form,
                    until: $0.until)
            },
            ending: ending.map(replaced),
            untold: untold.map { News($0.text.mapNames { $0 == name ? other : $0 }, $0.mark) },
            isEnded: isEnded, rollOver: rollOver,
            lastTimestamp: lastTimestamp, pausedUntil: pausedUntil, deadTokenAt: deadTokenAt,
            refusals: refusals, addressee: addressee, budget: budget, restraint: restraint)
    }
}

extension LocalizableContent {
    fileprivate func replacing(name: String, by other: String) -> LocalizableContent {
        LocalizableContent(
            health: health, text: text.mapNames { $0 == name ? other : $0 }, details: details)
    }
}

extension Alert {
    fileprivate func replacing(name: String, by other: String) -> Alert {
        func replaced(_ arguments: [String]) -> [String] {
            arguments.map { $0 == name ? other : $0 }
        }
        return Alert(
            titleKey: titleKey, titleArguments: replaced(titleArguments), bodyKey: bodyKey,
            bodyArguments: replaced(bodyArguments), sound: sound)
    }
}
