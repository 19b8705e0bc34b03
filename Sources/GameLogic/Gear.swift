/// What a hero wears: one of each kind, better each time it is found again.
package struct Gear: Hashable, Sendable {
    package static let tierMax = 3
    /// What a find beyond the best tier is worth, in coins.
    package static let coinsForSurplus = 5

    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case sword, shield, crown, crystal, cloak

        /// The kind of a rare find; `nil` for what a pack brings.
        package init?(_ item: Item) { self.init(rawValue: item.name) }
    }

    /// Two bits for each kind, in their order; 0: the hero has none. Every value is valid.
    package private(set) var rawValue: UInt16 = 0

    package init(rawValue: UInt16 = 0) { self.rawValue = rawValue & Self.allBits }

    private static let allBits: UInt16 = 1 << (2 * 5) - 1

    package subscript(kind: Kind) -> Int {
        get { Int(rawValue >> kind.shift & 3) }
        set {
            let tier = UInt16(min(max(newValue, 0), Self.tierMax))
            rawValue = rawValue & ~(3 << kind.shift) | tier << kind.shift
        }
    }

    /// What a table has for the tier of a kind; 0 without it.
    private func effect(_ kind: Kind, _ table: [Int]) -> Int {
        self[kind] == 0 ? 0 : table[self[kind] - 1]
    }

    /// Percent added to a blow.
    var might: Int { effect(.sword, [8, 11, 14]) }
    /// Percent taken off a hit.
    var protection: Int { effect(.shield, [8, 11, 14]) }
    /// Percent added to experience.
    var expPercent: Int { effect(.crown, [10, 15, 20]) }
    /// Health added to a potion that the hero drinks.
    var potionBonus: Int { effect(.crystal, [50, 75, 100]) }
    /// Percent of the time in the woods, and of the damage of storms.
    var shelterPercent: Int { self[.cloak] == 0 ? 100 : 50 }
}

extension Gear.Kind {
    fileprivate var shift: UInt16 {
        switch self {
        case .sword: 0
        case .shield: 2
        case .crown: 4
        case .crystal: 6
        case .cloak: 8
        }
    }
}
