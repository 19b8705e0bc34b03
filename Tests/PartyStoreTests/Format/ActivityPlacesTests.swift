import PushPolicy
import Testing

@testable import PartyStore

@Suite struct ActivityPlacesTests {
    private let names = ["a", "b", "\u{E9}", "c"].map { ActivityID($0) }

    @Test func anActivityIsNamedOnceAndKeepsItsPlace() {
        var places = ActivityPlaces()
        for name in names + names.reversed() { places.add(name) }
        #expect(places.activities.map(\.rawValue) == names.map(\.rawValue))
        for (index, name) in names.enumerated().reversed() {
            #expect(places.place(of: name) == index)
            #expect(places.place(of: names[1]) == 1)
        }
    }

    @Test func textsThatAreEqualOnlyInUnicodesSenseAreTwoActivities() {
        var places = ActivityPlaces()
        for name in names { places.add(name) }
        #expect(places.place(of: ActivityID("e\u{301}")) == nil)
        places.add(ActivityID("e\u{301}"))
        #expect(places.place(of: ActivityID("e\u{301}")) == 4)
        #expect(places.place(of: ActivityID("d")) == nil)
    }
}
