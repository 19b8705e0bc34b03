internal import Foundation
internal import GameLogic
internal import Isolation

/// The demo's terminal output.
struct DemoNarrator: Sendable {
    private let say: @Sendable (String) -> Void
    private let beganAt = Locked<Int64?>(nil)
    /// The invite code that is printed already.
    private let invitedWith = Locked("")
    /// Pushes that wait for the events that caused them, because APNs is quicker than the next
    /// poll.
    private let waiting = Locked<[Testbed.Delivery]>([])

    init(say: @escaping @Sendable (String) -> Void) { self.say = say }

    // MARK: Start and end

    func printStart(
        _ testbed: Testbed, _ settings: Demo.Settings, _ saved: SavedParty?,
        enteringWith code: String
    ) {
        let party =
            saved == nil
            ? "a party of four starts an adventure" : "the party of the last run continues"
        say(
            """
            🗺️  Emoji Rangers: \(party); all apps are in the background.
               watch  \(testbed.url)/console/#enter=\(code)  (opens once, within 10 minutes)
               server \(testbed.url), log \(settings.folder.serverLog)
               seed \(settings.seed), \(whole(settings.speed)) times real time; Ctrl-C stops the demo
               ┌ the events from the players' API
               └ 📲 a push that APNs accepted: 🔕 low priority, ⚡️ high, 🔔 with an alert

            """)
    }

    /// Prints where a browser joins the party, once for each code.
    func printInvitation(to party: PartyState, at url: String) {
        let isNew = invitedWith.withLock { code in
            defer { code = party.inviteCode }
            return code != party.inviteCode
        }
        guard isNew else { return }
        say("   play   \(url)/play/#\(party.inviteCode)  (joins the party in a browser)\n\n")
    }

    func printAgain() {
        say(
            "👀 A page followed this adventure, so the party sets out again; "
                + "Ctrl-C stops the demo.\n\n")
    }

    func printEnd(_ report: Report) {
        for delivery in takeWaiting() { show(delivery) }
        let result =
            report.violations.isEmpty
            ? "✅ every activity shows the final state, and ended with the adventure"
            : "❌ " + report.violations.joined(separator: "\n❌ ")
        say("\n\(report.summary)\n\(result)\n")
    }

    func printKeptServing(_ testbed: Testbed, _ settings: Demo.Settings) {
        say(
            """
            The server runs at \(testbed.url) until Ctrl-C. Try:
              curl \(testbed.url)/metrics
              curl -H "Authorization: Bearer $(cat \(settings.folder.adminKeyFile))" \
            \(testbed.url)/v1/admin/parties

            """)
    }

    func printCode(_ code: String) {
        say("   Join the party with the invite code \(code); it works as long as the demo runs.\n")
    }

    func printStop(code: Int32, folder: TestbedFolder) {
        if code == 0 {
            say("🏕️  Drained and stopped. \(folder.resumeHint)\n")
        } else {
            say("❌ The server ended with \(code); its log is \(folder.serverLog)\n")
        }
    }

    func printServerKilled() {
        say("💀 the server was killed; it restarts on the same file\n")
    }
    func printServerRestarted() { say("🌱 the server runs again, and the adventure continues\n") }
    func warn(_ words: String) { say("⚠️  \(words)\n") }

    // MARK: Events

    /// Prints the new events of a poll, and then their pushes.
    func show(_ events: [EventState], in party: PartyState) {
        let deliveries = takeWaiting()
        for event in events {
            say(
                "\(clock(Int64(event.at))) \(EventName(rawValue: event.kind)?.emoji ?? "•")  \(event.description)\n"
            )
        }
        for delivery in deliveries { show(delivery) }
    }

    /// Prints that a player has tapped a question's button.
    func show(answer button: String, of hero: String) { say("        👆 \(hero): “\(button)”\n") }

    /// Keeps an accepted push, to print it with the events of the next poll.
    func note(_ delivery: Testbed.Delivery) { waiting.withLock { $0.append(delivery) } }

    private func takeWaiting() -> [Testbed.Delivery] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Prints one accepted push: the hero, the priority, the alert, and the resulting content.
    private func show(_ delivery: Testbed.Delivery) {
        let push = delivery.push
        let symbol =
            push.aps.alert != nil ? "🔔" : push.priority == 10 ? "⚡️" : "🔕"
        var line = "        📲 \(symbol) \(padded(delivery.phone.name, to: 21))"
        if let state = push.aps.state {
            line += " \(bar(state.currentHealthLevel)) “\(state.eventDescription)”"
        }
        line += "  priority \(push.priority)"
        if push.aps.event == "start" { line += ", starts the activity" }
        if push.aps.event == "end" { line += ", ends the activity" }
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
