internal import ByteCoding

/// Keys by fixed numbers: the texts of alerts, and those of `base.json`, which activities show.
///
/// A text keeps its number, and a number its text: append new ones. Other texts are stored as they
/// are.
enum NumberedTexts {
    /// The numbers are 1, 2, 3 … in this order.
    static let texts: [String] = [
        "%@", "%@ is knocked down!", "%@ has taken a critical hit!", "%@ is the party's last hope!",
        "Use a potion to heal %@!", "Open the app and use a potion to heal %@", "Give %@ a potion!",
        "%@ sets out on an adventure!", "%@'s adventure goes on!", "Follow %@ on the Lock Screen.",
        "HeroDown.mp4", "default",
        "coin.found", "mushroom.found", "rope.found", "map.found", "acorn.found", "sword.found",
        "shield.found", "crown.found", "crystal.found", "cloak.found",
        "slime.comes", "slime.hits", "slime.crits", "slime.falls", "slime.leaves",
        "bat.comes", "bat.hits", "bat.crits", "bat.falls", "bat.leaves",
        "goblin.comes", "goblin.hits", "goblin.crits", "goblin.falls", "goblin.leaves",
        "ghost.comes", "ghost.hits", "ghost.crits", "ghost.falls", "ghost.leaves",
        "troll.comes", "troll.hits", "troll.crits", "troll.falls", "troll.leaves",
        "storm.comes", "storm.hits", "storm.crits",
        "dragon.comes", "dragon.hits", "dragon.crits", "dragon.enraged", "dragon.gathers",
        "dragon.sweeps", "dragon.falls",
        "kraken.comes", "kraken.hits", "kraken.crits", "kraken.enraged", "kraken.gathers",
        "kraken.sweeps", "kraken.falls",
        "robot.comes", "robot.hits", "robot.crits", "robot.enraged", "robot.gathers",
        "robot.sweeps", "robot.falls",
        "hero.rests", "hero.falls", "hero.drinks", "hero.gives", "hero.rises", "hero.wakes",
        "hero.strays", "hero.returns", "hero.endangered", "hero.needs", "hero.guards",
        "hero.receives", "hero.joins", "hero.leaves", "hero.leads", "hero.stays", "hero.follows",
        "hero.potions",
        "party.falls", "party.night", "party.pauses", "party.resumes", "party.lastStand",
        "party.breathes", "party.refills", "party.stops", "party.flees", "party.strikes",
        "party.treasure",
        "ready.asked", "ready.ended",
        "ask.drink", "ask.endangered", "ask.give", "ask.flee", "ask.guard", "ask.loot", "ask.stop",
        "ask.ready",
        "ends.won", "ends.won.down", "ends.won.away", "ends.lost", "ends.night", "ends.night.down",
        "ends.night.away", "ends.fled", "ends.fled.down", "ends.fled.away", "ends.stopped",
        "ends.stopped.down", "ends.stopped.away", "ends.ended", "ends.party",
    ]

    private static let numbers: [String: UInt64] = Dictionary(
        uniqueKeysWithValues: texts.enumerated().map { ($1, UInt64($0) + 1) })

    static func number(of text: String) -> UInt64? {
        guard let number = numbers[text] else { return nil }
        // Texts that are equal only in Unicode's sense are stored as they are.
        return texts[Int(number) - 1].utf8.count == text.utf8.count ? number : nil
    }

    static func text(_ number: UInt64) -> String? {
        guard number > 0, number <= UInt64(texts.count) else { return nil }
        return texts[Int(number) - 1]
    }
}

extension ByteWriter {
    /// Appends the text's number in the table, or 0 and the text if it has none.
    mutating func append(word text: String) {
        if let number = NumberedTexts.number(of: text) {
            append(varint: number)
        } else {
            append(varint: 0)
            append(text: text)
        }
    }
}

extension ByteReader {
    mutating func word() throws(FormatError) -> String {
        let number = try varint()
        guard number == 0 else {
            guard let text = NumberedTexts.text(number) else {
                throw .unknownNumber(number, of: "word")
            }
            return text
        }
        let text = try text()
        guard NumberedTexts.number(of: text) == nil else {
            throw .invalid("a word is spelled as text")
        }
        return text
    }
}
