package import APNsClient

extension LiveActivitySchema {
    /// The game's activity as Apple's sample declares it (rules L4 to L7): what the default
    /// `JSONDecoder` of a device requires.
    package static let adventure = LiveActivitySchema(
        contentState: ContentSchema([
            .init("currentHealthLevel", .number(in: 0...1)),
            .init("eventDescription", .text),
        ]),
        attributesType: "AdventureAttributes",
        attributes: ContentSchema([.init("hero", .object(hero))]))

    /// The sample's `EmojiRanger`.
    private static let hero = ContentSchema([
        .init("name", .text),
        .init("avatar", .text),
        .init("healthLevel", .number(in: 0...1)),
        .init("heroType", .text),
        .init("healthRecoveryRatePerHour", .number(in: 0...1)),
        .init("url", .text),
        .init("battleCode", .text),
        .init("level", .integer),
        .init("exp", .integer),
        .init("bio", .text),
    ])
}
