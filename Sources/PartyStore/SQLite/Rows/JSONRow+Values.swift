internal import GameLogic
internal import PushPolicy

extension JSONRow {
    init(hero: Hero) throws(StoreError) {
        try self.init(
            table: "heroes", keys: [hero.id.rawValue, hero.owner.rawValue], encoding: hero)
    }

    init(activity: ActivityRegistration) throws(StoreError) {
        try self.init(
            table: "activities", keys: [activity.id.rawValue, activity.party.rawValue],
            encoding: activity)
    }
}
