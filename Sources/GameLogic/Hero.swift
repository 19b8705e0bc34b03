/// A hero, with the fields of Apple's sample `EmojiRanger` that the game needs.
package struct Hero: Hashable, Sendable {
    package static let nameLengthMax = 16
    package static let heroTypeLengthMax = 40
    package static let avatarLengthMax = 8
    package static let levelMax = 20

    package let id: HeroID
    package let owner: PlayerID
    package let name: String
    /// One emoji.
    package let avatar: String
    /// The kind of hero, in words: "Forest Dweller".
    package let heroType: String
    /// The health with which the hero came home.
    package var healthLevel: Health
    @Compact<Int32> package var exp: Int
    package var home: Home {
        _read { yield homeApart.value }
        _modify { yield &homeApart.value }
    }
    private var homeApart: Apart<Home>

    /// 1…20: level 2 takes 400 points of experience, level 5 4,000, level 20 76,000.
    package var level: Int {
        var level = 1
        while level < Self.levelMax, 200 * (level + 1) * level <= exp { level += 1 }
        return level
    }

    package var heroClass: HeroClass { HeroClass(heroType: heroType) }

    package init(
        id: HeroID, owner: PlayerID, name: String, avatar: String, heroType: String,
        healthLevel: Health = .full, exp: Int = 0, home: Home = Home()
    ) {
        self.id = id
        self.owner = owner
        self.name = name
        self.avatar = avatar
        self.heroType = heroType
        self.healthLevel = healthLevel
        _exp = Compact(wrappedValue: exp)
        homeApart = Apart(home)
    }
}

/// A hero as recorded in an event: still readable after the hero has left.
package struct HeroTag: Hashable, Sendable {
    package let id: HeroID
    package let name: String

    package init(id: HeroID, name: String) {
        self.id = id
        self.name = name
    }
}

extension Hero {
    package var tag: HeroTag { HeroTag(id: id, name: name) }
}

extension Hero {
    /// The most experience of a hero.
    package static let expMax = 1_000_000_000

    mutating func learn(_ lesson: Int) {
        exp = min(max(exp, 0), Self.expMax - lesson) + lesson
    }
}
