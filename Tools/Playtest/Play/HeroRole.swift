/// A hero of demos and playtests: Apple's, and friends.
struct HeroRole {
    let name: String
    let avatar: String
    let heroType: String
    let healthRecoveryRatePerHour: Double

    private init(
        _ name: String, _ avatar: String, _ heroType: String, _ healthRecoveryRatePerHour: Double
    ) {
        self.name = name
        self.avatar = avatar
        self.heroType = heroType
        self.healthRecoveryRatePerHour = healthRecoveryRatePerHour
    }

    private static let all = [
        HeroRole("Power Panda", "🐼", "Forest Dweller", 0.25),
        HeroRole("Egghead", "🥚", "Free Rangers", 0.22),
        HeroRole("Spouty", "🐳", "Deep Sea Goer", 0.59),
        HeroRole("Captain Fox", "🦊", "Night Scout", 0.4),
        HeroRole("Madame Owl", "🦉", "Sky Reader", 0.3),
        HeroRole("Count Cactus", "🌵", "Desert Guard", 0.5),
        HeroRole("Sir Snail", "🐌", "Slow Knight", 0.9),
        HeroRole("Robo Rita", "🤖", "Tin Thinker", 0.1),
    ]

    /// Returns the role of a party's member; large parties repeat roles.
    static func of(member number: Int) -> HeroRole { all[number % all.count] }
}
