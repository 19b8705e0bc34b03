internal import ByteCoding
internal import GameLogic

/// A hero: a row of `heroes`, and a part of parties and commands.
///
/// Format 2 of the row adds what the hero has at home; a hero who has nothing there is in format 1.
enum HeroFormat {
    private static let newest: UInt8 = 2

    // What a hero has room for.
    private static let rates = Int64(Int16.min)...Int64(Int16.max)
    private static let exps = Int64(Int32.min)...Int64(Int32.max)

    static func write(_ hero: Hero, to bytes: inout ByteWriter) {
        let isHomeEmpty = hero.home == Home()
        RowFormat.write(isHomeEmpty ? 1 : newest, to: &bytes)
        append(hero, to: &bytes)
        if !isHomeEmpty { StoryFormat.append(hero.home, to: &bytes) }
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> Hero {
        var bytes = ByteReader(row)
        let format = try RowFormat.read(&bytes, newest: newest)
        var hero = try next(&bytes)
        if format >= 2 { hero.home = try StoryFormat.home(&bytes) }
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
            healthRecoveryRatePerHour: Int(try bytes.zigzag(in: rates, "recovery rate")),
            exp: Int(try bytes.zigzag(in: exps, "experience")))
    }
}
