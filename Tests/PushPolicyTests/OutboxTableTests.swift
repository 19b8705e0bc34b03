import GameLogic
import Testing

@testable import PushPolicy

/// Walks every cell of the table in `ActivityOutbox`: each state, and what each event makes of it.
@Suite("An outbox's states")
struct OutboxTableTests {
    enum State: String, CaseIterable {
        case idle, alerting, due, inFlight, ending, endingAfter, endInFlight, ended, endedAfter
    }

    enum Event: String, CaseIterable {
        case change, release, accepted, dead, rejected, unknown, pause, retry, refresh, recover, end
        case gone
    }

    /// A state a line, an event a column: `o` idle, `a` alerting, `d` due, `f` in flight, `n` in
    /// flight with newer content due next, `e` ending, `E` ending with a push in flight that left
    /// before, `X` end in flight, `x` ended, `y` ended with a push in flight still.
    private static let table = """
        event        change release accepted dead rejected unknown pause retry refresh recover end gone
        idle         d      o       o        o    o        o       o     o     d       o       e   x
        alerting     d      f       a        a    a        a       a     a     d       a       e   x
        due          d      f       d        d    d        d       d     d     d       d       e   x
        inFlight     n      f       o        d    o        d       d     d     n       d       E   y
        ending       e      X       e        e    e        e       e     e     e       e       e   x
        endingAfter  E      E       e        e    e        e       e     e     E       e       E   y
        endInFlight  X      X       x        e    x        e       e     e     X       e       X   y
        ended        x      x       x        x    x        x       x     x     x       x       x   x
        endedAfter   y      y       x        x    x        x       x     x     y       x       y   y
        """

    @Test("every state takes every event as the table says")
    func everyCell() throws {
        let width = 13
        var lines = [Self.line("event", Event.allCases.map(\.rawValue), width)]
        for state in State.allCases {
            let cells = try Event.allCases.map { event in
                let stage = try Self.stage(in: state)
                let before = stage.activities
                try Self.happen(event, on: stage)
                // What leaves an outbox as it is must leave it wholly so.
                if Self.isNothing(event, in: state) { #expect(stage.activities == before) }
                return String(Self.letter(stage.entry))
            }
            lines.append(Self.line(state.rawValue, cells, width))
        }
        #expect(lines.joined(separator: "\n") == Self.table)
    }

    @Test("what happens to an outbox does not depend on its having been stored in between")
    func stored() throws {
        for state in State.allCases {
            for event in Event.allCases {
                let live = try Self.stage(in: state)
                let stored = try Self.stage(in: state)
                stored.entry = ActivityOutbox(activity: Stage.activity, stored.entry.snapshot)
                #expect(stored.entry == live.entry)
                try Self.happen(event, on: live)
                try Self.happen(event, on: stored)
                #expect(stored.activities == live.activities, "\(state) \(event)")
            }
        }
    }

    @Test(
        "what was for an older token or language leaves the newer one its content and its end",
        arguments: [PushOutcome.accepted, .rejected, .unknown, .tokenIsDead])
    func outdated(outcome: PushOutcome) throws {
        for (state, letter) in [
            (State.inFlight, "d"), (.endInFlight, "e"), (.endingAfter, "e"),
        ] {
            let stage = try Self.stage(in: state)
            let push = try #require(stage.inFlight[Stage.activity])
            try Self.happen(.refresh, on: stage)
            stage.settle(push, outcome)
            #expect(String(Self.letter(stage.entry)) == letter, "\(state)")
        }
    }

    // MARK: States and events

    private static func stage(in state: State) throws -> Stage {
        let stage = try Stage()
        stage.refresh()
        stage.settleAll()
        switch state {
        case .idle: break
        case .alerting:
            // The phone shows the fall, and the alert has not gone with it.
            stage.tell(.knockedDown(Samples.panda.tag))
            stage.settleAll()
            stage.tell(.knockedDown(Samples.panda.tag))
        case .due: stage.tell(.stormRaised)
        case .inFlight:
            stage.tell(.stormRaised)
            stage.release()
        case .ending: stage.entry.end(in: stage.party, version: 9, now: stage.now)
        case .endingAfter:
            stage.tell(.stormRaised)
            stage.release()
            stage.entry.end(in: stage.party, version: 9, now: stage.now)
        case .endInFlight:
            stage.entry.end(in: stage.party, version: 9, now: stage.now)
            stage.release()
        case .ended: stage.entry.close()
        case .endedAfter:
            stage.tell(.stormRaised)
            stage.release()
            stage.entry.close()
        }
        return stage
    }

    private static func happen(_ event: Event, on stage: Stage) throws {
        switch event {
        // Also a hero who is down is told a game master's word.
        case .change: stage.tell(.messageSent(.sample))
        case .release: stage.release()
        case .accepted: settle(.accepted, on: stage)
        case .dead: settle(.tokenIsDead, on: stage)
        case .rejected: settle(.rejected, on: stage)
        case .unknown: settle(.unknown, on: stage)
        case .pause: settle(.pause(until: stage.now.adding(seconds: 9)), on: stage)
        case .retry: settle(.retry(notBefore: stage.now.adding(seconds: 9)), on: stage)
        case .refresh:
            stage.registration.language = .japanese
            stage.refresh()
        case .recover: stage.restart()
        case .end: stage.entry.end(in: stage.party, version: 9, now: stage.now)
        case .gone:
            stage.registration.state = .dismissed
            stage.tell()
        }
    }

    /// The outcome of what is in flight, or of the last push if there is nothing.
    private static func settle(_ outcome: PushOutcome, on stage: Stage) {
        PushPlanner.settle(
            outcome, of: Stage.activity, timestamp: stage.entry.lastTimestamp,
            activities: &stage.activities, now: stage.now)
    }

    /// Whether the event is about a push, and none is in flight.
    private static func isNothing(_ event: Event, in state: State) -> Bool {
        switch event {
        case .accepted, .dead, .rejected, .unknown, .pause, .retry, .recover: break
        case .change, .release, .refresh, .end, .gone: return false
        }
        switch state {
        case .idle, .alerting, .due, .ending, .ended: return true
        case .inFlight, .endingAfter, .endInFlight, .endedAfter: return false
        }
    }

    private static func letter(_ entry: ActivityOutbox) -> Character {
        let snapshot = entry.snapshot
        if snapshot.isEnded { return snapshot.inFlight == nil ? "x" : "y" }
        if snapshot.inFlight?.form == .end { return "X" }
        if snapshot.ending != nil { return snapshot.inFlight == nil ? "e" : "E" }
        if snapshot.inFlight != nil { return snapshot.due == nil ? "f" : "n" }
        if snapshot.due != nil { return "d" }
        return snapshot.alert == nil ? "o" : "a"
    }

    /// A name and its cells, under the heads of the events.
    private static func line(_ name: String, _ cells: [String], _ width: Int) -> String {
        let heads = Event.allCases.map(\.rawValue)
        let padded = zip(cells, heads).map { pad($0, to: $1.count + 1) }
        let line = pad(name, to: width) + padded.joined()
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
