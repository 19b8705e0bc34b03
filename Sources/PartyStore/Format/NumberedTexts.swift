internal import ByteCoding

/// Keys of the String Catalog by fixed numbers: the texts of activities and alerts.
///
/// A text keeps its number, and a number its text: append new ones. Other texts are stored as they
/// are.
enum NumberedTexts {
    /// The numbers are 1, 2, 3 … in this order.
    static let texts: [String] = [
        "%@ feels a little better.",
        "%@ has been knocked down!",
        "%@ drank a potion.",
        "%@ gave %@ a potion.",
        "%@ is back on their feet!",
        "A storm is raging!",
        "%@ has joined the party!",
        "%@ has left the party.",
        "%@ is in the woods and lost connection.",
        "%@ has found the way back!",
        "The whole party is down!",
        "Night has fallen on the adventure.",
        "Adventure over! Everybody is taking a nap.",
        "Adventure over! %@ is taking a nap.",
        "Adventure over! %@ has defeated the boss! Congrats!",
        "Adventure over!",
        "%@ is knocked down!",
        "Use a potion to heal %@!",
        "HeroDown.mp4",
        "%@ sets out on an adventure!",
        "%@'s adventure goes on!",
        "Follow %@ on the Lock Screen.",
        "default",
        "%@ found a coin!",
        "Wow! %@ found a coin!",
        "%@ found a mushroom!",
        "Wow! %@ found a mushroom!",
        "%@ found a rope!",
        "Wow! %@ found a rope!",
        "%@ found a map!",
        "Wow! %@ found a map!",
        "%@ found an acorn!",
        "Wow! %@ found an acorn!",
        "%@ found a sword!",
        "Wow! %@ found a sword!",
        "%@ found a shield!",
        "Wow! %@ found a shield!",
        "%@ found a crown!",
        "Wow! %@ found a crown!",
        "%@ found a crystal!",
        "Wow! %@ found a crystal!",
        "%@ found a cloak!",
        "Wow! %@ found a cloak!",
        "%@ was hurt by a slime.",
        "%@ took a critical hit from a slime!",
        "%@ defeated a slime!",
        "%@ was hurt by a bat.",
        "%@ took a critical hit from a bat!",
        "%@ defeated a bat!",
        "%@ was hurt by a goblin.",
        "%@ took a critical hit from a goblin!",
        "%@ defeated a goblin!",
        "%@ was hurt by a troll.",
        "%@ took a critical hit from a troll!",
        "%@ defeated a troll!",
        "%@ was hurt by a ghost.",
        "%@ took a critical hit from a ghost!",
        "%@ defeated a ghost!",
        "%@ was hurt by the storm.",
        "%@ took a critical hit from the storm!",
        "%@ defeated the storm!",
        "%@ was hurt by the dragon.",
        "%@ took a critical hit from the dragon!",
        "%@ defeated the dragon!",
        "%@ was hurt by the kraken.",
        "%@ took a critical hit from the kraken!",
        "%@ defeated the kraken!",
        "%@ was hurt by the giant robot.",
        "%@ took a critical hit from the giant robot!",
        "%@ defeated the giant robot!",
        "Here comes the dragon!",
        "Watch out: the dragon is furious!",
        "Victory! %@ has brought down the dragon!",
        "Here comes the kraken!",
        "Watch out: the kraken is furious!",
        "Victory! %@ has brought down the kraken!",
        "Here comes the giant robot!",
        "Watch out: the giant robot is furious!",
        "Victory! %@ has brought down the giant robot!",
        "%@ leads the party now.",
        "The adventure takes a break.",
        "The adventure goes on!",
        "%@",
        "Take cover: the dragon gathers its strength!",
        "Take cover: the kraken gathers its strength!",
        "Take cover: the giant robot gathers its strength!",
        "The whole party is hit by the dragon!",
        "The whole party is hit by the kraken!",
        "The whole party is hit by the giant robot!",
        "%@ is in grave danger!",
        "%@ needs a potion from %@.",
        "Everybody is down! Who has a potion?",
        "%@ gets a second wind!",
        "It looks bad. Run away?",
        "The party has run away!",
        "%@ can hardly stand. Who stands guard?",
        "%@ stands guard over %@.",
        "Who could use what %@ found?",
        "%@ gets the treasure!",
        "Adventure over! Everybody got away.",
        "%@ has taken a critical hit!",
        "Open the app and use a potion to heal %@",
        "Give %@ a potion!",
        "%@ is the party's last hope!",
        "A breather! The party feels better.",
        "A potion for everybody!",
        "Stop here, or on to the next boss?",
        "The party stops here.",
        "Adventure over! The party stopped at the right time.",
        "The party strikes the world boss!",
        "Adventure over! The world boss has fallen! Congrats!",
        "A treasure for everybody!",
        "Ready for an adventure?",
        "The party isn't setting out yet.",
        "%@ stays at the inn this time.",
        "%@ has caught up with the party!",
        "%@ found %lld potions!",
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
