import GameLogic
import PushPolicy
import Testing

/// Timelines: one character a second.
///
/// Events: `c` a coin, `s` a storm, `B` a boss appears, `K` the activity's hero falls, `r` they are
/// back on their feet, `E` the adventure is over, `.` nothing.
/// Pushes: `l` low, `h` high, `!` with an alert, `e` the end, `.` none.
/// Answers, after the push of that second: `a` accepted, `?` unknown, `x` refused for good, `p` a
/// pause of 3 s, `f` Apple failed (the same activity not within 5 s), `d` the token is dead, `t` a new
/// token comes, `R` the server is killed and restarts, `.` none yet.
@Suite("Timelines")
struct TimelineTests {
    private func pushes(events: String, answers: String) throws -> String {
        let stage = try Stage()
        var pushes = ""
        for (event, answer) in zip(events, answers) {
            if let kind = kind(event) { stage.tell(kind) }
            pushes.append(stage.release().first.map(letter) ?? ".")
            give(answer, to: stage)
            stage.wait(seconds: 1)
        }
        return pushes
    }

    private func kind(_ letter: Character) -> PartyEvent.Kind? {
        switch letter {
        case "c": .commonLootFound(Samples.egghead.tag, .coin)
        case "s": .stormRaised
        case "B": .bossAppeared(.dragon)
        case "K": .knockedDown(Samples.panda.tag)
        case "r": .revived(Samples.panda.tag)
        case "E": .over(.endedByGameMaster)
        default: nil
        }
    }

    private func letter(_ push: PlannedPush) -> Character {
        if case .end = push.event { return "e" }
        if push.alert != nil { return "!" }
        switch push.priority {
        case .low: return "l"
        case .high: return "h"
        }
    }

    private func give(_ answer: Character, to stage: Stage) {
        if answer == "R" { stage.restart() }
        if answer == "t" { stage.registration.tokenRegisteredAt = stage.now }
        guard let push = stage.inFlight[Stage.activity], let result = result(answer, at: stage.now)
        else { return }
        stage.settle(push, result)
    }

    private func result(_ answer: Character, at now: WallTime) -> PushOutcome? {
        switch answer {
        case "a": .accepted
        case "?": .unknown
        case "x": .rejected
        case "p": .pause(until: now.adding(seconds: 3))
        case "f": .retry(notBefore: now.adding(seconds: 5))
        case "d": .tokenIsDead
        default: nil
        }
    }

    @Test("Q3, Q5: an adventure of low priority and one of high priority")
    func story() throws {
        #expect(
            try pushes(
                events: "c.s.B.K.r.E.c",
                answers: "aaaaaaaaaaaaa")
                == "l.l.h.!.l.e..")
    }

    @Test("B4: while a push is on its way, news gathers into one")
    func coalescing() throws {
        #expect(
            try pushes(
                events: "ccsB.....",
                answers: "....a..a.")
                == "l....h...")
    }

    @Test("L13: unchanged content is not sent")
    func unchanged() throws {
        #expect(
            try pushes(
                events: "cccc.s.",
                answers: "aaaaaaa")
                == "l....l.")
    }

    @Test("B4: a knock-down is never merged away while the hero is down")
    func falls() throws {
        #expect(
            try pushes(
                events: "cKrKcc......",
                answers: ".....a.a.a.a")
                == "l.....!.....")
    }

    @Test("a pause holds everything, a failure only the same activity")
    func manners() throws {
        #expect(
            try pushes(
                events: "c.s.....",
                answers: "p..aaaaa")
                == "l..l....")
        #expect(
            try pushes(
                events: "c.s.....",
                answers: "f.aaaaaa")
                == "l.l.....")
        #expect(
            try pushes(
                events: "c.......",
                answers: "f....aaa")
                == "l....l..")
    }

    @Test("what is refused for good is not tried again; what is unknown is, until it is known")
    func fates() throws {
        #expect(try pushes(events: "c....s", answers: "x....a") == "l....l")
        #expect(try pushes(events: "c.....", answers: "???a..") == "llll..")
    }

    @Test("T5: a dead token stops the pushes until a new one comes")
    func deadToken() throws {
        #expect(
            try pushes(
                events: "cB.s....",
                answers: "d...ta.a")
                == "l....h..")
    }

    @Test("PR3: a restart repeats what was in flight, and no more")
    func restarts() throws {
        #expect(
            try pushes(
                events: "c....B....",
                answers: ".R.a.aR...")
                == "l.l..h....")
    }

    @Test("L12: the end takes the place of an alert, and is repeated until it is taken")
    func ends() throws {
        #expect(
            try pushes(
                events: "c.K.E.....",
                answers: "..a????a..")
                == "l..!eeee..")
    }
}
