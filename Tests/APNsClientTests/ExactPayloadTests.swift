import Testing

@testable import APNsClient

/// `LiveActivityPayloadTests` compares documents; here it is what goes over the wire: the order of
/// the keys, the text of the numbers, and no byte between.
@Suite("A1: payloads are, byte for byte, as their golden files")
struct ExactPayloadTests {
    typealias Payload = LiveActivityPayload<FastState>

    private static let sword = FastState(
        currentHealthLevel: 0.941, eventDescription: "Power Panda found a sword!")
    private static let fallen = FastState(
        currentHealthLevel: 0, eventDescription: "Power Panda has been knocked down!")
    private static let lost = FastState(
        currentHealthLevel: 0.79, eventDescription: "Egghead is in the woods and lost connection.")
    private static let nap = FastState(
        currentHealthLevel: 0.23, eventDescription: "Adventure over! Power Panda is taking a nap.")

    private static let updates: [(String, Payload)] = [
        ("update", .update(at: 1_685_952_000, state: sword)),
        (
            "update-alert",
            .update(
                at: 1_685_952_000, state: fallen,
                alert: LiveActivityAlert(
                    title: "Power Panda is knocked down!",
                    body: "Use a potion to heal Power Panda!"))
        ),
        (
            "update-alert-localized",
            .update(
                at: 1_685_952_000, state: fallen,
                alert: LiveActivityAlert(
                    title: .localized(key: "%@ is knocked down!", arguments: ["Power Panda"]),
                    body: .localized(
                        key: "Use a potion to heal %@!", arguments: ["Power Panda"]),
                    sound: "HeroDown.mp4"))
        ),
        ("update-relevance", .update(at: 1_685_952_000, state: sword, relevanceScore: 100)),
        ("update-relevance-half", .update(at: 1_685_952_000, state: sword, relevanceScore: 0.5)),
        ("update-stale", .update(at: 1_685_952_000, state: lost, staleDate: 1_685_959_200)),
    ]

    private static let ends: [(String, Payload)] = [
        (
            "end-dismissal",
            .end(at: 1_685_952_000, finalState: nap, dismissalDate: 1_685_959_200)
        ),
        ("end", .end(at: 1_685_952_000, finalState: nil)),
    ]

    private static let starts: [(String, Payload)] = [
        (
            "start",
            .start(
                at: 1_685_952_000, attributesType: "AdventureAttributes",
                attributes: ["hero": "Power Panda"], state: sword,
                alert: LiveActivityAlert(
                    title: .localized(key: "%@ is on an adventure!", arguments: ["Power Panda"]),
                    body: .localized(
                        key: "Follow %@ on the Lock Screen.", arguments: ["Power Panda"])),
                staleDate: 1_685_959_200, relevanceScore: 100, input: .token)
        )
    ]

    @Test("updates, ends and a start", arguments: updates + ends + starts)
    func exact(name: String, payload: Payload) throws {
        let golden = try GoldenFile.bytes(name, in: "Fixtures/Exact")
        let text = String(decoding: try payload.encoded(), as: UTF8.self)
        #expect(text == String(decoding: golden, as: UTF8.self))
        #expect(try payload.encoded() == golden)
    }
}
