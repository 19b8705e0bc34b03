package import APNsClient
internal import GameLogic
package import PushPolicy

extension PushEncoding {
    /// A start: the hero as attributes, the card as it is now, an alert by the device's own
    /// localisation, and a stale date. It asks for a push token where the system knows the key.
    func request(for start: StartOrder) throws(PayloadError) -> PushRequest {
        let card = ContentState(start.card) { words.text($0, in: start.traits.language) }
        let payload = try LiveActivityPayload.start(
            at: start.timestamp, attributesType: AdventureAttributes.typeName,
            attributes: AdventureAttributes(of: start.hero), state: card,
            alert: LiveActivityAlert(start.alert), staleDate: start.staleDate.seconds,
            relevanceScore: Double(start.relevanceScore),
            input: start.traits.asksForPushToken ? .token : nil
        ).encoded()
        return .liveActivity(
            payload, to: DeviceToken(hex: start.token.hex), bundleID: bundleID, priority: .high,
            expiration: start.expiration.seconds, id: PushID.derived(from: start.contentName))
    }
}

extension AdventureAttributes: LiveActivityContent {
    /// The fast way; a test shows that it gives what a default `JSONEncoder` gives.
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
