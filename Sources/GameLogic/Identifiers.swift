/// The id of one thing of the game: opaque text, assigned by the server, compared byte for byte.
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    var rawValue: String { get }
    init(_ rawValue: String)
}

extension Identifier {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package var description: String { rawValue }
}

/// A person who plays: owns heroes and devices.
package struct PlayerID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A hero, in any party.
package struct HeroID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A party, with or without an adventure.
package struct PartyID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}
