internal import ByteCoding
internal import GameLogic

/// A hero: a row of `heroes`, and a part of parties and commands.
enum HeroFormat {
    /// Numbers that players choose, with either sign.
    private static let range: ClosedRange<Int64> =
        -Int64(Party.numberMax)...Int64(Party.numberMax)

    static func write(_ hero: Hero, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        append(hero, to: &bytes)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> Hero {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let hero = try next(&bytes)
        try bytes.finish()
        return hero
    }

    static func append(_ hero: Hero, to bytes: inout ByteWriter) {
        bytes.append(hero.id)
        bytes.append(hero.owner)
        bytes.append(text: hero.name)
        bytes.append(text: hero.avatar)
        bytes.append(text: hero.heroType)
        bytes.append(hero.healthLevel)
        bytes.append(zigzag: Int64(hero.healthRecoveryRatePerHour))
        bytes.append(zigzag: Int64(hero.exp))
    }

    static func next(_ bytes: inout ByteReader) throws(FormatError) -> Hero {
        Hero(
            id: try bytes.identifier(), owner: try bytes.identifier(), name: try bytes.text(),
            avatar: try bytes.text(), heroType: try bytes.text(),
            healthLevel: try bytes.health(),
            healthRecoveryRatePerHour: Int(try bytes.zigzag(in: range, "recovery rate")),
            exp: Int(try bytes.zigzag(in: range, "experience")))
    }
}
