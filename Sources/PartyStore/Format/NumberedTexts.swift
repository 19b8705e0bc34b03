internal import ByteCoding

/// Keys of the String Catalog by fixed numbers: what cards and alerts say.
///
/// A text keeps its number for ever, and a number its text: new ones are appended. A text that is
/// not here is stored as it is.
enum NumberedTexts {
    /// The numbers are 1, 2, 3 … in this order.
    static let texts: [String] = [
        "Adventure has begun!",
        "%@ found %@!",
        "Wow! %@ found %@!",
        "%@ feels a little better.",
        "%@ was hurt by %@.",
        "%@ took a critical hit from %@!",
        "%@ has been knocked down!",
        "%@ drank a potion.",
        "%@ gave %@ a potion.",
        "%@ is back on their feet!",
        "%@ defeated %@!",
        "Here comes %@!",
        "Watch out: %@ is furious!",
        "Victory! %@ has brought down %@!",
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
        "a coin",
        "a mushroom",
        "a rope",
        "a map",
        "an acorn",
        "a sword",
        "a shield",
        "a crown",
        "a crystal",
        "a cloak",
        "a slime",
        "a bat",
        "a goblin",
        "a troll",
        "a ghost",
        "the storm",
        "the dragon",
        "the kraken",
        "the giant robot",
        "%@ is knocked down!",
        "Use a potion to heal %@!",
        "HeroDown.mp4",
        "%@ sets out on an adventure!",
        "%@'s adventure goes on!",
        "Follow %@ on the Lock Screen.",
        "default",
    ]

    private static let numbers: [String: UInt64] = Dictionary(
        uniqueKeysWithValues: texts.enumerated().map { ($1, UInt64($0) + 1) })

    static func number(of text: String) -> UInt64? {
        guard let number = numbers[text] else { return nil }
        // Texts that only Unicode calls equal are stored as they are.
        return texts[Int(number) - 1].utf8.count == text.utf8.count ? number : nil
    }

    static func text(_ number: UInt64) -> String? {
        guard number > 0, number <= UInt64(texts.count) else { return nil }
        return texts[Int(number) - 1]
    }
}

extension ByteWriter {
    /// A number of the table; 0 and the text where there is none.
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
