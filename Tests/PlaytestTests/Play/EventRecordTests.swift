import Testing

@testable import Playtest

@Suite("A record of events")
struct EventRecordTests {
    private let first = Sample.event(1, "adventureBegan")
    private let second = Sample.event(2, "hurt")

    @Test("PR2: events in their order are new once")
    func order() {
        var record = EventRecord()
        #expect(record.take([first]) == [first])
        #expect(record.take([first, second]) == [second])
        #expect(record.take([second]).isEmpty)
        #expect(record.events == [first, second])
        #expect(record.violations.isEmpty)
    }

    @Test("PR2: a missing event is a violation")
    func gap() {
        var record = EventRecord()
        #expect(record.take([first, Sample.event(3, "hurt")]) == [first])
        #expect(record.violations == ["event 3 came after 1"])
    }

    @Test("PR2: an event that has changed is a violation")
    func changed() {
        var record = EventRecord()
        _ = record.take([first, second])
        _ = record.take([Sample.event(2, "revived")])
        #expect(record.violations == ["event 2 was hurt, and is revived now"])
    }

    @Test("the newest adventure begins at its own beginning")
    func adventure() {
        var record = EventRecord()
        _ = record.take(
            Sample.events + [Sample.event(5, "adventureBegan"), Sample.event(6, "hurt")])
        #expect(record.adventure.map(\.sequence) == [5, 6])
    }
}
