internal import ByteCoding
internal import GameLogic

/// A hero: a row of `heroes`, and a part of parties and commands.
enum HeroFormat {
    // What a hero has room for.
    private static let rates = Int64(Int16.min)...Int64(Int16.max)
    private static let exps = Int64(Int32.min)...Int64(Int32.max)

    static func write(_ hero: Hero, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        append(whole: hero, to: &bytes)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> Hero {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let hero = try nextWhole(&bytes)
        try bytes.finish()
        return hero
    }

    /// Appends the hero with what they have at home.
    static func append(whole hero: Hero, to bytes: inout ByteWriter) {
        append(hero, to: &bytes)
        StoryFormat.append(hero.home, to: &bytes)
    }

    static func nextWhole(_ bytes: inout ByteReader) throws(FormatError) -> Hero {
        var hero = try next(&bytes)
        hero.home = try StoryFormat.home(&bytes)
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
