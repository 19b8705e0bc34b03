/// The heroes of demos and playtests: Apple's, and friends.
enum Cast {
    struct Role {
        let name: String
        let avatar: String
        let heroType: String
        let healthRecoveryRatePerHour: Double
    }

    static let roles = [
        Role(
            name: "Power Panda", avatar: "🐼", heroType: "Forest Dweller",
            healthRecoveryRatePerHour: 0.25),
        Role(
            name: "Egghead", avatar: "🥚", heroType: "Free Rangers",
            healthRecoveryRatePerHour: 0.22),
        Role(
            name: "Spouty", avatar: "🐳", heroType: "Deep Sea Goer",
            healthRecoveryRatePerHour: 0.59),
        Role(
            name: "Captain Fox", avatar: "🦊", heroType: "Night Scout",
            healthRecoveryRatePerHour: 0.4),
        Role(
            name: "Madame Owl", avatar: "🦉", heroType: "Sky Reader",
            healthRecoveryRatePerHour: 0.3),
        Role(
            name: "Count Cactus", avatar: "🌵", heroType: "Desert Guard",
            healthRecoveryRatePerHour: 0.5),
        Role(
            name: "Sir Snail", avatar: "🐌", heroType: "Slow Knight",
            healthRecoveryRatePerHour: 0.9),
        Role(
            name: "Robo Rita", avatar: "🤖", heroType: "Tin Thinker",
            healthRecoveryRatePerHour: 0.1),
    ]

    static func role(_ number: Int) -> Role { roles[number % roles.count] }
}
