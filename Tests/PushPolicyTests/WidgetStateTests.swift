@testable import PushPolicy
import Testing

/// When a widget is reloaded: what it shows against what is so, and the limits.
struct WidgetStateTests {
    /// A UTC midnight.
    private static let midnight = WallTime(milliseconds: 86_400_000 * 20_000)
    private static let first = WidgetState.Shown(season: 7, rank: 1)
    private static let second = WidgetState.Shown(season: 7, rank: 2)

    private static func after(_ minutes: Int64) -> WallTime {
        midnight.adding(seconds: minutes * 60)
    }

    @Test("the first look only notes the rank")
    func unknown() {
        var state = WidgetState()
        #expect(state.look(at: Self.first, now: Self.midnight) == .nothing)
        #expect(state.shown == Self.first)
        #expect(state.sentAt == nil)
    }

    @Test("an unchanged rank is not sent")
    func unchanged() {
        var state = WidgetState(shown: Self.first)
        #expect(state.look(at: Self.first, now: Self.midnight) == .nothing)
    }

    @Test("a changed rank is sent once")
    func changed() {
        var state = WidgetState(shown: Self.first)
        #expect(state.look(at: Self.second, now: Self.midnight) == .send)
        #expect(state.look(at: Self.second, now: Self.after(60)) == .nothing)
    }

    @Test("a new season is sent, whatever the rank")
    func season() {
        var state = WidgetState(shown: Self.first)
        let next = WidgetState.Shown(season: 8, rank: 1)
        #expect(state.look(at: next, now: Self.midnight) == .send)
    }

    @Test(
        "two pushes are half an hour apart",
        arguments: [
            (1, WidgetState.Decision.wait(until: after(30))), (29, .wait(until: after(30))),
            (30, .send),
        ] as [(Int64, WidgetState.Decision)])
    func interval(_ minutes: Int64, _ decision: WidgetState.Decision) {
        var state = WidgetState(shown: Self.first)
        #expect(state.look(at: Self.second, now: Self.midnight) == .send)
        #expect(state.look(at: Self.first, now: Self.after(minutes)) == decision)
    }

    @Test("a rank that changes back before the next push is not sent")
    func back() {
        var state = WidgetState(shown: Self.first)
        #expect(state.look(at: Self.second, now: Self.midnight) == .send)
        #expect(state.look(at: Self.first, now: Self.after(1)) == .wait(until: Self.after(30)))
        #expect(state.look(at: Self.second, now: Self.after(30)) == .nothing)
    }

    @Test("a UTC day has at most twenty pushes")
    func day() {
        var state = WidgetState(shown: Self.first)
        var sent = 0
        for half in 0..<48 as Range<Int64> {
            let shown = half.isMultiple(of: 2) ? Self.second : Self.first
            if state.look(at: shown, now: Self.after(half * 30)) == .send { sent += 1 }
        }
        #expect(sent == WidgetState.dayMax)
        #expect(state.nextPushAt(Self.after(24 * 60 - 1)) == Self.after(24 * 60))
        let other = WidgetState.Shown(season: 7, rank: 3)
        #expect(state.look(at: other, now: Self.after(24 * 60)) == .send)
        #expect(state.sentOfDay == 1)
    }

    @Test("a push that failed goes again when the limits allow, and counts")
    func failure() {
        var state = WidgetState(shown: Self.first)
        #expect(state.look(at: Self.second, now: Self.midnight) == .send)
        state.noteFailure()
        #expect(state.look(at: Self.second, now: Self.after(5)) == .wait(until: Self.after(30)))
        #expect(state.look(at: Self.second, now: Self.after(30)) == .send)
        #expect(state.sentOfDay == 2)
        #expect(!state.hasFailed)
    }

    @Test("a clock that was set back delays a push by half an hour at most")
    func clockSetBack() {
        var state = WidgetState(shown: Self.first)
        #expect(state.look(at: Self.second, now: Self.after(600)) == .send)
        #expect(state.nextPushAt(Self.after(10)) == Self.after(40))
    }
}
