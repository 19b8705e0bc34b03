package import GameLogic

/// An alert for the owner of one hero only, about that hero or a friend. Its words are made only when
/// they are read.
package enum HeroAlert: Hashable, Sendable {
    case knockDown(HeroTag)
    /// A critical hit that leaves little health.
    case critical(HeroTag)
    /// The first hero is down; the second one has a potion.
    case help(HeroTag, of: HeroTag)
    case lastStand(HeroTag)

    /// Whose owner is alerted.
    package var hero: HeroID {
        switch self {
        case .knockDown(let hero), .critical(let hero), .lastStand(let hero): hero.id
        case .help(_, of: let helper): helper.id
        }
    }

    package var alert: Alert {
        switch self {
        case .knockDown(let hero):
            Alert("%@ is knocked down!", Alert.drink, hero, sound: Self.down)
        case .critical(let hero):
            Alert(
                "%@ has taken a critical hit!", Alert.drinkInTime, hero, sound: Self.ordinary)
        case .help(let hero, of: _):
            Alert("%@ is knocked down!", Alert.give, hero, sound: Self.down)
        case .lastStand(let hero):
            Alert("%@ is the party's last hope!", Alert.drink, hero, sound: Self.down)
        }
    }

    private static let down = "HeroDown.mp4"
    private static let ordinary = "default"
}

extension Alert {
    /// An alert with the hero's name in both of its texts.
    fileprivate init(_ title: String, _ body: String, _ hero: HeroTag, sound: String) {
        self.init(
            titleKey: title, titleArguments: [hero.name], bodyKey: body,
            bodyArguments: [hero.name], sound: sound)
    }
}

// MARK: What an alert asks for

extension Alert {
    fileprivate static let drink = "Use a potion to heal %@!"
    fileprivate static let drinkInTime = "Open the app and use a potion to heal %@"
    fileprivate static let give = "Give %@ a potion!"

    /// What the player can do. The body says it.
    enum Request: Hashable {
        /// The own hero is down and can drink.
        case drink
        /// The own hero has little health and can drink.
        case drinkInTime
        /// A friend is down, and the own hero can help.
        case give
    }

    var request: Request {
        switch bodyKey {
        case Self.give: .give
        case Self.drinkInTime: .drinkInTime
        default: .drink
        }
    }
}

extension CurrentParty {
    /// Returns whether this hero's player can still do what the alert asks for (rule Q9).
    func allows(_ alert: Alert, on hero: HeroID) -> Bool {
        guard isOnAdventure, let index = index(of: hero), members[index].potions > 0 else {
            return false
        }
        switch alert.request {
        case .drink: return members[index].isKnockedDown
        case .drinkInTime: return members[index].isInDanger
        case .give:
            return members[index].isStanding
                && members.contains { member in
                    member.isKnockedDown && member.outing.fall.asked.contains(hero)
                        && alert.titleArguments == [member.hero.name]
                }
        }
    }

    /// Returns whether the hero of an alert no longer needs help.
    func isMoot(_ alert: HeroAlert) -> Bool {
        switch alert {
        case .knockDown(let hero), .lastStand(let hero), .help(let hero, of: _): !isDown(hero.id)
        case .critical(let hero): index(of: hero.id).map { !members[$0].isInDanger } ?? true
        }
    }

    /// Returns whether the hero drinks by a standing order at once, so that its phone stays quiet.
    func drinksByOrder(_ hero: HeroID) -> Bool {
        guard let index = index(of: hero) else { return false }
        let outing = members[index].outing
        return outing.hasSetOut && outing.orders.whenDown == .drink && !outing.hasDrunkByOrder
    }
}
