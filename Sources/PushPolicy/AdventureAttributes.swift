package import GameLogic

/// The constant part of an activity, as Apple's sample declares it: decodes with a default
/// `JSONDecoder` (rules L4, L5).
package struct AdventureAttributes: Hashable, Codable, Sendable {
    /// `attributes-type`: the exact name of the app's Swift type.
    package static let typeName = "AdventureAttributes"

    package let hero: EmojiRanger

    package init(of hero: Hero) { self.hero = EmojiRanger(hero) }
}

/// A hero with all fields of Apple's sample, because a start with a missing one would not decode.
package struct EmojiRanger: Hashable, Codable, Sendable {
    package let name: String
    package let avatar: String
    /// 0…1 (rule L7).
    package let healthLevel: Double
    package let heroType: String
    /// 0…1.
    package let healthRecoveryRatePerHour: Double
    /// Where a tap on the activity leads in the app: `game:///hero-1`. A `URL` in the app.
    package let url: String
    /// The address of the hero's fights. A `URL` in the app.
    package let battleCode: String
    package let level: Int
    package let exp: Int
    /// Apple's sample has a biography here; this game has none.
    package let bio: String

    init(_ hero: Hero) {
        name = hero.name
        avatar = hero.avatar
        healthLevel = Double(hero.healthLevel.thousandths) / 1000
        heroType = hero.heroType
        healthRecoveryRatePerHour = Double(hero.healthRecoveryRatePerHour) / 1000
        url = "game:///\(hero.id)"
        battleCode = "game:///\(hero.id)/battle"
        level = hero.level
        exp = hero.exp
        bio = ""
    }
}
