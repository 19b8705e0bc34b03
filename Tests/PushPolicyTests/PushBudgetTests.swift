import PushPolicy
import Testing

@Suite("B2: the budget of high-priority pushes")
struct PushBudgetTests {
    private let start = WallTime(milliseconds: 1_685_952_000_000)

    /// How many pushes go through within an hour, one tried every so many seconds.
    private func spent(of size: PushBudget.Size, every seconds: Int64) -> Int64 {
        var budget = PushBudget(at: start)
        var now = start
        var count: Int64 = 0
        while now < start.adding(seconds: 3600) {
            if budget.spend(size, at: now) { count += 1 }
            now = now.adding(seconds: seconds)
        }
        return count
    }

    @Test("Q4: the first hour never sees more than the burst and the hourly refill")
    func hour() {
        #expect(spent(of: .regular, every: 1) == 29)
        #expect(spent(of: .regular, every: 7) <= 30)
    }

    @Test("it says when it is full again")
    func full() {
        var budget = PushBudget(at: start)
        #expect(budget.fullAt(.frequent, at: start) == nil)
        for _ in 0..<4 { _ = budget.spend(.frequent, at: start) }
        #expect(budget.fullAt(.frequent, at: start) == start.adding(seconds: 180))
        let later = start.adding(seconds: 100)
        #expect(budget.fullAt(.frequent, at: later) == start.adding(seconds: 180))
        #expect(budget.left(.frequent, at: start.adding(seconds: 179)) == 39)
        #expect(budget.left(.frequent, at: start.adding(seconds: 180)) == 40)
        #expect(budget.fullAt(.frequent, at: start.adding(seconds: 180)) == nil)
    }

    @Test("Q6: frequent updates have a larger budget")
    func frequent() {
        #expect(spent(of: .frequent, every: 1) == 119)
    }

    @Test("who asks less often than it refills is never refused")
    func patient() {
        #expect(spent(of: .regular, every: 180) == 20)
    }

    @Test("the bucket is the same after one long wait and after many short ones")
    func waits() {
        var one = PushBudget(at: start)
        var many = PushBudget(at: start)
        for _ in 0..<10 {
            _ = one.spend(.regular, at: start)
            _ = many.spend(.regular, at: start)
        }
        for second in 1...179 {
            #expect(many.left(.regular, at: start.adding(seconds: Int64(second))) == 0)
        }
        let later = start.adding(seconds: 180)
        #expect(one.left(.regular, at: later) == 1)
        #expect(many.left(.regular, at: later) == 1)
    }

    @Test("PR12: a clock that is set back gives nothing back")
    func clockBack() {
        var budget = PushBudget(at: start)
        for _ in 0..<10 { _ = budget.spend(.regular, at: start) }
        #expect(budget.left(.regular, at: start.adding(seconds: -3600)) == 0)
    }

    @Test("what goes anyway leaves the bucket empty, not in debt")
    func overspending() {
        var budget = PushBudget(at: start)
        for _ in 0..<50 { budget.overspend(.regular, at: start) }
        #expect(budget.left(.regular, at: start.adding(seconds: 180)) == 1)
    }
}
