internal import GameLogic
internal import JSONWriter

/// A hero in the API's JSON: all fields of Apple's sample, so that an app can fill the attributes of
/// its Live Activity, with health as a fraction 0…1.
enum HeroView {
    static let schema = JSONSchema.named(
        "Hero",
        .fields([
            "id": .text, "owner": .text, "name": .text, "avatar": .text, "heroType": .text,
            "class": .choice(HeroClass.allCases.map(\.rawValue)),
            "healthLevel": .fraction, "healthRecoveryRatePerHour": .fraction, "level": .whole,
            "exp": .whole, "url": .text, "battleCode": .text, "bio": .text,
        ]))

    static func json(_ hero: Hero) -> [UInt8] {
        var json = JSONWriter()
        write(hero, to: &json)
        return json.bytes
    }

    static func write(_ hero: Hero, to json: inout JSONWriter) {
        json.beginObject()
        writeFields(of: hero, to: &json)
        json.endObject()
    }

    /// The fields with commas between them; `name` stands for the hero's own.
    static func fields(of hero: Hero, named name: String?) -> [UInt8] {
        var json = JSONWriter(reserving: bytesMost)
        writeFields(of: hero, named: name, to: &json)
        return json.bytes
    }

    /// More than most heroes take.
    private static let bytesMost = 512

    /// Writes the fields; `name` stands for the hero's own.
    static func writeFields(
        of hero: Hero, named name: String? = nil, to json: inout JSONWriter
    ) {
        json.field("id", hero.id.rawValue)
        json.field("owner", hero.owner.rawValue)
        json.field("name", name ?? hero.name)
        json.field("avatar", hero.avatar)
        json.field("heroType", hero.heroType)
        json.field("class", hero.heroClass.rawValue)
        json.field("healthLevel", Double(hero.healthLevel.thousandths) / 1000)
        json.field("healthRecoveryRatePerHour", Double(hero.heroClass.recoveryPerHour) / 1000)
        json.field("level", hero.level)
        json.field("exp", hero.exp)
        json.field("url", EmojiRanger.url(of: hero.id))
        json.field("battleCode", EmojiRanger.battleCode(of: hero.id))
        json.field("bio", hero.heroClass.bio)
    }
}
