package import APNsClient
internal import GameLogic
internal import PushPolicy

/// Turns an order into a request to APNs: the card in the activity's language, the alert by the
/// device's own localisation (Q11).
package struct PushEncoding: Sendable {
    let bundleID: String
    let words: Words

    package init(bundleID: String, words: Words) {
        self.bundleID = bundleID
        self.words = words
    }

    func request(
        for order: PushOrder, to registration: ActivityRegistration, token: PushToken
    ) throws(PayloadError) -> PushRequest {
        let card = ContentState(order.card) { words.text($0, in: registration.language) }
        let payload = try payload(of: order, showing: card).encoded()
        return .liveActivity(
            payload, to: DeviceToken(hex: token.hex), bundleID: bundleID,
            priority: order.priority == .high ? .high : .low,
            expiration: order.expiration.seconds, id: Self.id(of: order))
    }

    /// The same content of the same activity has the same `apns-id`, so that what was sent twice
    /// can be counted (R4).
    static func id(of order: PushOrder) -> PushID { PushID.derived(from: order.contentName) }

    private func payload(
        of order: PushOrder, showing card: ContentState
    ) -> LiveActivityPayload<ContentState> {
        switch order.event {
        case .update:
            .update(
                at: order.timestamp, state: card, alert: order.alert.map { LiveActivityAlert($0) },
                staleDate: order.staleDate?.seconds, relevanceScore: Double(order.relevanceScore))
        case .end(let dismissalDate):
            .end(
                at: order.timestamp, finalState: card,
                alert: order.alert.map { LiveActivityAlert($0) },
                dismissalDate: dismissalDate.seconds)
        }
    }
}

extension ContentState: LiveActivityContent {
    /// The fast way; a test shows that it gives what a default `JSONEncoder` gives.
    package func write(to json: inout JSONFields) {
        json.field("currentHealthLevel", currentHealthLevel)
        json.field("eventDescription", eventDescription)
    }
}

extension LiveActivityAlert {
    init(_ alert: Alert) {
        self.init(
            title: .localized(key: alert.titleKey, arguments: alert.titleArguments),
            body: .localized(key: alert.bodyKey, arguments: alert.bodyArguments),
            sound: alert.sound)
    }
}
