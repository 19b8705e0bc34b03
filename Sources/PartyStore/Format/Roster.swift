internal import ByteCoding
internal import GameLogic

/// The heroes that a row has named so far: a hero named again is a number.
///
/// Writer and reader keep the same roster: a party's members come first, others as they appear.
struct Roster {
    private(set) var tags: [HeroTag] = []

    mutating func add(_ tag: HeroTag) { tags.append(tag) }

    func index(of tag: HeroTag) -> Int? {
        first {
            tags[$0].id.rawValue.isSame(as: tag.id.rawValue) && tags[$0].name.isSame(as: tag.name)
        }
    }

    func index(of hero: HeroID) -> Int? { first { tags[$0].id.rawValue.isSame(as: hero.rawValue) } }

    func index(ofName name: String) -> Int? { first { tags[$0].name.isSame(as: name) } }

    /// By index: a copy of a tag would count references.
    private func first(_ isSame: (Int) -> Bool) -> Int? {
        for index in tags.indices where isSame(index) { return index }
        return nil
    }
}

extension String {
    /// Returns whether the texts are equal and of the same length in bytes: texts that are equal
    /// only in Unicode's sense are stored apart.
    func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}

extension Identifier {
    func isSame(as other: Self) -> Bool { rawValue.isSame(as: other.rawValue) }
}

// MARK: Heroes in other fields

extension ByteWriter {
    /// Appends 0, a name and a hero's id; or the index in the roster, from 1.
    mutating func append(_ tag: HeroTag, _ roster: inout Roster) {
        if let index = roster.index(of: tag) {
            append(count: index + 1)
        } else {
            append(count: 0)
            append(tag.id)
            append(text: tag.name)
            roster.add(tag)
        }
    }

    mutating func append(_ hero: HeroID, _ roster: Roster) {
        if let index = roster.index(of: hero) {
            append(count: index + 1)
        } else {
            append(count: 0)
            append(hero)
        }
    }
}

extension ByteReader {
    mutating func tag(_ roster: inout Roster) throws(FormatError) -> HeroTag {
        guard let index = try rosterIndex(roster) else {
            let tag = HeroTag(id: try identifier(), name: try text())
            guard roster.index(of: tag) == nil else { throw .invalid("a hero is named twice") }
            roster.add(tag)
            return tag
        }
        return roster.tags[index]
    }

    mutating func hero(_ roster: Roster) throws(FormatError) -> HeroID {
        guard let index = try rosterIndex(roster) else {
            let hero = try identifier(HeroID.self)
            guard roster.index(of: hero) == nil else { throw .invalid("a hero is named twice") }
            return hero
        }
        return roster.tags[index].id
    }

    private mutating func rosterIndex(_ roster: Roster) throws(FormatError) -> Int? {
        let place = try varint()
        guard place > 0 else { return nil }
        guard place <= UInt64(roster.tags.count) else {
            throw .invalid("an unknown hero is named")
        }
        return Int(place) - 1
    }
}
