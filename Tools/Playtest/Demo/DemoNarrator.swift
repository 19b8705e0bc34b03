internal import Foundation
internal import GameLogic
internal import Isolation

/// The demo's terminal output.
struct DemoNarrator: Sendable {
    private let say: @Sendable (String) -> Void
    private let beganAt = Locked<Int64?>(nil)
    /// Pushes that wait for the events that caused them, because APNs is quicker than the next
    /// poll.
    private let waiting = Locked<[Stage.Delivery]>([])

    init(say: @escaping @Sendable (String) -> Void) { self.say = say }

    // MARK: Start and end

    func tellBeginning(_ stage: Stage, _ settings: Demo.Settings, _ saved: SavedParty?) {
        let party = saved == nil ? "a party of four sets out" : "the party of last time goes on"
        say(
            """
            🗺️  Emoji Rangers: \(party), and every phone sleeps.
               the server is at \(stage.url), its log is \(settings.folder.serverLog)
               seed \(settings.seed), \(whole(settings.speed)) times as fast as life; \
            Ctrl-C stops cleanly
               ┌ what happened, as the players' API tells it
               └ 📲 a push that APNs accepted: 🔕 low priority, ⚡️ high, 🔔 with an alert

            """)
    }

    func tellEnd(_ report: Report) {
        for delivery in takeWaiting() { tell(delivery) }
        let verdict =
            report.violations.isEmpty
            ? "✅ every card shows the truth, and ended with the adventure"
            : "❌ " + report.violations.joined(separator: "\n❌ ")
        say("\n\(report.summary)\n\(verdict)\n")
    }

    func tellKeptServing(_ stage: Stage, _ settings: Demo.Settings) {
        say(
            """
            The server goes on at \(stage.url) until Ctrl-C. Try:
              curl \(stage.url)/metrics
              curl -H "Authorization: Bearer $(cat \(settings.folder.adminKeyFile))" \
            \(stage.url)/v1/admin/parties

            """)
    }

    func tellStopped(code: Int32, folder: StageFolder) {
        if code == 0 {
            say("🏕️  Drained and stopped. \(folder.farewell)\n")
        } else {
            say("❌ The server ended with \(code); its log is \(folder.serverLog)\n")
        }
    }

    func tellDeath() { say("💀 somebody killed the server; it starts again on the same file\n") }
    func tellRevival() { say("🌱 the server is back: the story goes on\n") }
    func complain(_ words: String) { say("⚠️  \(words)\n") }

    // MARK: Events

    /// Prints the new events of a poll, and then their pushes.
    func tell(_ events: [EventState], in party: PartyState) {
        let deliveries = takeWaiting()
        for event in events {
            say(
                "\(clock(Int64(event.at))) \(EventName(rawValue: event.kind)?.emoji ?? "•")  \(event.description)\n"
            )
        }
        for delivery in deliveries { tell(delivery) }
    }

    /// Keeps an accepted push, to print it with the events of the next poll.
    func note(_ delivery: Stage.Delivery) { waiting.withLock { $0.append(delivery) } }

    private func takeWaiting() -> [Stage.Delivery] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Prints one accepted push: the hero, the priority, the alert, and the resulting content.
    private func tell(_ delivery: Stage.Delivery) {
        let push = delivery.push
        let loudness =
            push.aps.alert != nil ? "🔔" : push.priority == 10 ? "⚡️" : "🔕"
        var line = "        📲 \(loudness) \(padded(delivery.phone.name, to: 21))"
        if let state = push.aps.state {
            line += " \(bar(state.currentHealthLevel)) “\(state.eventDescription)”"
        }
        line += "  priority \(push.priority)"
        if push.aps.event == "start" { line += ", the card begins by push" }
        if push.aps.event == "end" { line += ", the card ends" }
        say(line + "\n")
        if let alert = push.aps.alert {
            say(
                "           🔔 alert: “\(alert.title.english)” “\(alert.body.english)” "
                    + "♪ \(alert.sound ?? "")\n")
        }
    }

    // MARK: Formatting

    private func clock(_ at: Int64) -> String {
        let began = beganAt.withLock { began in
            if began == nil { began = at }
            return began ?? at
        }
        let seconds = max(0, at - began) / 1000
        return String(format: "%02d:%02d", Int(seconds / 60), Int(seconds % 60))
    }

    private func bar(_ health: Double) -> String {
        let full = Int((health * 10).rounded())
        let percent = String(format: "%3d%%", Int(health * 100))
        return String(repeating: "█", count: full) + String(repeating: "░", count: 10 - full)
            + " " + percent
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func whole(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
