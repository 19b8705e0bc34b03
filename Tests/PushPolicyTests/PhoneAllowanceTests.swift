@testable import GameLogic
@testable import PushPolicy
import Testing

@Suite("The budget of a phone over its Live Activities")
struct PhoneAllowanceTests {
    private let registration = Stage.registration(Stage.activity, of: Samples.panda)
    private let start = Stage.start

    private func outbox(spending count: Int = 0) -> ActivityOutbox {
        var outbox = ActivityOutbox(
            activity: Stage.activity, hero: Samples.panda.id, startedAt: start)
        for _ in 0..<count { outbox.overspend(.regular, at: start) }
        return outbox
    }

    private func left(_ outbox: ActivityOutbox, at now: WallTime = Stage.start) -> Int {
        outbox.budgetLeft(for: registration, at: now)
    }

    @Test("what an activity has left, the next one gets, as it refills meanwhile")
    func handedOver() {
        var (old, new) = (outbox(spending: 7), outbox())
        let left = old.giveAllowance(keeping: 0, for: registration, at: start)
        #expect(left.share == PhoneAllowance.whole)
        let later = start.adding(seconds: 360)
        new.take(left, at: later)
        // Three of ten, and two in six minutes.
        #expect(self.left(new, at: later) == 5)
        #expect(self.left(old) == 0)
    }

    @Test("activities that live at the same time have one budget together", arguments: 1...5)
    func split(count: Int) {
        let spent = 2
        var phones = [outbox(spending: spent)]
        for _ in 1..<max(2, count) {
            var new = outbox()
            var total: PhoneAllowance?
            for index in phones.indices {
                let part = phones[index].giveAllowance(
                    keeping: phones[index].keptShare, for: registration, at: start)
                total = total?.merged(with: part) ?? part
            }
            if let total { new.take(total, at: start) }
            phones.append(new)
        }
        let whole = PushBudget.Size.regular
        let sizes = phones.map { $0.budgetSize(for: registration) }
        #expect(sizes.map(\.burst).reduce(0, +) <= whole.burst)
        #expect(sizes.map(\.hourly).reduce(0, +) <= whole.hourly)
        #expect(phones.map { left($0) }.reduce(0, +) <= Int(whole.burst) - spent)
        #expect(phones.map(\.restraint.share).reduce(0, +) == PhoneAllowance.whole)
    }

    @Test("one that lives alone has the whole budget again, and still owes what was spent")
    func alone() {
        var (first, second, third) = (outbox(spending: 4), outbox(), outbox())
        second.take(
            first.giveAllowance(keeping: first.keptShare, for: registration, at: start), at: start)
        #expect(left(first) == 3 && left(second) == 3)
        let rest = first.giveAllowance(keeping: 0, for: registration, at: start)
        let all = rest.merged(with: second.giveAllowance(keeping: 0, for: registration, at: start))
        third.take(all, at: start)
        #expect(left(third) == 6)
        third.take(rest.with(share: PhoneAllowance.whole), at: start)
        #expect(left(third) == 8)
    }

    @Test("a share that was promised is given once, whenever and however often that is said")
    func promised() {
        var (first, second) = (outbox(spending: 8), outbox())
        let half = PhoneAllowance.whole / 2
        second.take(first.giveAllowance(keeping: half, for: registration, at: start), at: start)
        #expect(left(first) == 1 && left(second) == 1)
        #expect(first.giveAllowance(keeping: half, for: registration, at: start).share == 0)
        #expect(first.budgetShare == half)
        // One that ends before it hears of a promise leaves the next one no more than the rest.
        var leaving = outbox(spending: 8)
        let all = leaving.giveAllowance(keeping: 0, for: registration, at: start)
        let kept = all.keeping(half)
        #expect(kept.share == half && kept.debt == all.debt / 2 && kept.hourly == all.hourly / 2)
        #expect(all.keeping(PhoneAllowance.whole) == all)
    }

    @Test("alerts count for the phone, and so does the last action of its player")
    func alerts() {
        var (old, new) = (outbox(), outbox())
        for seconds: Int64 in [0, 10] { old.noteAlert(at: start.adding(seconds: seconds)) }
        old.noteAction(at: start.adding(seconds: 20))
        let later = start.adding(seconds: 30)
        new.take(old.giveAllowance(keeping: 0, for: registration, at: later), at: later)
        #expect(new.restraint.alertsAt.count == 2 && new.restraint.ignored == 0)
        #expect(new.restraint.lastActionAt == start.adding(seconds: 20))
        let alert = HeroAlert.lastStand(Samples.panda.tag)
        let notes = new.restraint.reasonToMute(alert, in: nil, at: later, wallOffset: 0)
        #expect(notes == .mutedByAlertLimit)
        let tomorrow = start.adding(seconds: 86_400)
        new.take(old.giveAllowance(keeping: 0, for: registration, at: tomorrow), at: tomorrow)
        #expect(new.restraint.alertsAt.isEmpty)
    }

    @Test("a clock that was set back refills nothing")
    func setBack() {
        var (old, new) = (outbox(spending: 10), outbox())
        let earlier = start.adding(seconds: -3600)
        new.take(old.giveAllowance(keeping: 0, for: registration, at: start), at: earlier)
        #expect(left(new, at: earlier) == 0)
    }
}
