internal import PushPolicy

/// The activities that a row names, each once: its records have their places.
///
/// Records come in the order of a party's activities, so each is first compared with the one after
/// the last.
struct ActivityPlaces {
    private(set) var activities: [ActivityID] = []
    private var likely = 0

    /// Returns the activity's place; `nil` if the row does not name it.
    mutating func place(of activity: ActivityID) -> Int? {
        var place = likely < activities.count ? likely : 0
        for _ in activities.indices {
            if activities[place].rawValue.isSame(as: activity.rawValue) {
                likely = place + 1
                return place
            }
            place = place + 1 < activities.count ? place + 1 : 0
        }
        return nil
    }

    /// Names the activity, unless it is named already.
    mutating func add(_ activity: ActivityID) {
        if place(of: activity) == nil { activities.append(activity) }
    }
}
