package import APNsClient
package import GameLogic
internal import PushPolicy

/// The constant part of an activity, as Apple's sample declares it: decodes with a default
/// `JSONDecoder` (rules L4, L5).
package struct AdventureAttributes: Hashable, Codable, Sendable {
    /// `attributes-type`: the exact name of the app's Swift type.
    package static let typeName = "AdventureAttributes"

    package let hero: EmojiRanger

    package init(of hero: Hero) { self.hero = EmojiRanger(hero) }
}

/// A hero with all fields of Apple's sample, because a start with a missing one would not decode.
package struct EmojiRanger: Hashable, Codable, Sendable {
    package let name: String
    package let avatar: String
    /// 0…1 (rule L7).
    package let healthLevel: Double
    package let heroType: String
    /// 0…1.
    package let healthRecoveryRatePerHour: Double
    /// Where a tap on the activity leads in the app: `game:///hero-1`. A `URL` in the app.
    package let url: String
    /// The address of the hero's fights. A `URL` in the app.
    package let battleCode: String
    package let level: Int
    package let exp: Int
    /// In English. It is a key of the String Catalog, so the device can show it in its language.
    package let bio: String

    init(_ hero: Hero) {
        name = hero.name
        avatar = hero.avatar
        healthLevel = Double(hero.healthLevel.thousandths) / 1000
        heroType = hero.heroType
        healthRecoveryRatePerHour = Double(hero.heroClass.recoveryPerHour) / 1000
        url = Self.url(of: hero.id)
        battleCode = Self.battleCode(of: hero.id)
        level = hero.level
        exp = hero.exp
        bio = hero.heroClass.bio
    }

    static func url(of hero: HeroID) -> String { "game:///" + hero.rawValue }

    static func battleCode(of hero: HeroID) -> String { url(of: hero) + "/battle" }
}

// The fast encoding; a test proves that it equals that of a default `JSONEncoder`.
extension AdventureAttributes: LiveActivityContent {
    package func write(to json: inout JSONFields) {
        json.object("hero") { json in
            json.field("name", hero.name)
            json.field("avatar", hero.avatar)
            json.field("healthLevel", hero.healthLevel)
            json.field("heroType", hero.heroType)
            json.field("healthRecoveryRatePerHour", hero.healthRecoveryRatePerHour)
            json.field("url", hero.url)
            json.field("battleCode", hero.battleCode)
            json.field("level", hero.level)
            json.field("exp", hero.exp)
            json.field("bio", hero.bio)
        }
    }
}

extension LiveActivitySchema {
    /// The game's activity as Apple's sample declares it (rules L4 to L7): what the default
    /// `JSONDecoder` of a device requires. Derived from the types that are sent.
    package static let adventure: LiveActivitySchema = {
        let hero = Hero(
            id: HeroID("sample"), owner: PlayerID("sample"), name: "", avatar: "", heroType: "")
        do throws(PayloadError) {
            return LiveActivitySchema(
                contentState: try ContentSchema(sample: ContentState.full).inFractions,
                attributesType: AdventureAttributes.typeName,
                attributes: try ContentSchema(sample: AdventureAttributes(of: hero)).inFractions)
        } catch {
            preconditionFailure("the game's own types have no schema: \(error)")
        }
    }()
}

extension ContentState {
    /// A state with all of its fields.
    fileprivate static let full = ContentState(
        LocalizableContent(health: .full, text: AskTexts.drink),
        .longest(
            of: HeroTag(id: HeroID("sample"), name: ""), in: PartyID("sample"),
            text: AskTexts.stop, button: AskTexts.drink),
        words: { $0.key })
}

extension ContentSchema {
    /// The same schema in the order of the names, with every number from 0 to 1 (rule L7).
    fileprivate var inFractions: ContentSchema {
        ContentSchema(
            fields.sorted { $0.name < $1.name }
                .map { Field($0.name, $0.kind.inFractions, $0.presence) })
    }
}

extension ContentSchema.Kind {
    fileprivate var inFractions: ContentSchema.Kind {
        switch self {
        case .number: .number(in: 0...1)
        case .object(let inner): .object(inner.inFractions)
        case .array(let element): .array(element.inFractions)
        case .text, .integer, .truth, .date, .anything: self
        }
    }
}
