internal import ByteCoding
internal import GameLogic

/// A hero: a row of `heroes`, and a part of parties and commands.
enum HeroFormat {
    /// What a hero has room for.
    private static let exps = Int64(Int32.min)...Int64(Int32.max)

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
        bytes.append(zigzag: Int64(hero.exp))
        StoryFormat.append(hero.home, to: &bytes)
    }

    static func next(_ bytes: inout ByteReader) throws(FormatError) -> Hero {
        Hero(
            id: try bytes.identifier(), owner: try bytes.identifier(), name: try bytes.text(),
            avatar: try bytes.text(), heroType: try bytes.text(),
            healthLevel: try bytes.health(),
            exp: Int(try bytes.zigzag(in: exps, "experience")),
            home: try StoryFormat.home(&bytes))
    }
}
