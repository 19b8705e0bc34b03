internal import Foundation
internal import Testing

@testable internal import APNsClient

@Suite("Payloads are in the exact ActivityKit form")
struct LiveActivityPayloadTests {
    private let sword = FastState(
        currentHealthLevel: 0.941, eventDescription: "Power Panda found a sword!")
    private let fallen = FastState(
        currentHealthLevel: 0, eventDescription: "Power Panda has been knocked down!")

    private func json(_ payload: LiveActivityPayload<some Any>) throws -> String {
        try SortedJSON.text(of: payload.encoded())
    }

    @Test("P1, P2, P3: an update equals the golden file")
    func update() throws {
        let payload = LiveActivityPayload.update(at: 1_685_952_000, state: sword)
        #expect(try json(payload) == SortedJSON.golden("update"))
    }

    @Test("P4, P5: a plain alert equals the golden file")
    func plainAlert() throws {
        let alert = LiveActivityAlert(
            title: "Power Panda is knocked down!", body: "Use a potion to heal Power Panda!")
        let payload = LiveActivityPayload.update(at: 1_685_952_000, state: fallen, alert: alert)
        #expect(try json(payload) == SortedJSON.golden("update-alert"))
    }

    @Test("Q11: a localized alert equals the golden file")
    func localizedAlert() throws {
        let alert = LiveActivityAlert(
            title: .localized(key: "%@ is knocked down!", arguments: ["Power Panda"]),
            body: .localized(key: "Use a potion to heal %@!", arguments: ["Power Panda"]),
            sound: "HeroDown.mp4")
        let payload = LiveActivityPayload.update(at: 1_685_952_000, state: fallen, alert: alert)
        #expect(try json(payload) == SortedJSON.golden("update-alert-localized"))
    }

    @Test("P9: a relevance score equals the golden file")
    func relevance() throws {
        let payload = LiveActivityPayload.update(
            at: 1_685_952_000, state: sword, relevanceScore: 100)
        #expect(try json(payload) == SortedJSON.golden("update-relevance"))
    }

    @Test("P8: a stale date equals the golden file")
    func stale() throws {
        let lost = FastState(
            currentHealthLevel: 0.79,
            eventDescription: "Egghead is in the woods and lost connection.")
        let payload = LiveActivityPayload.update(
            at: 1_685_952_000, state: lost, staleDate: 1_685_959_200)
        #expect(try json(payload) == SortedJSON.golden("update-stale"))
    }

    @Test("P6: an end with a dismissal date equals the golden file")
    func end() throws {
        let nap = FastState(
            currentHealthLevel: 0.23,
            eventDescription: "Adventure over! Power Panda is taking a nap.")
        let payload = LiveActivityPayload.end(
            at: 1_685_952_000, finalState: nap, dismissalDate: 1_685_959_200)
        #expect(try json(payload) == SortedJSON.golden("end-dismissal"))
    }

    @Test("P7: an end without a final state has no content-state")
    func endWithoutState() throws {
        let payload = LiveActivityPayload<FastState>.end(at: 1_685_952_000, finalState: nil)
        #expect(try json(payload) == #"{"aps":{"event":"end","timestamp":1685952000}}"#)
    }

    @Test("a start equals the golden file")
    func start() throws {
        let payload = LiveActivityPayload.start(
            at: 1_685_952_000, attributesType: "AdventureAttributes",
            attributes: ["hero": "Power Panda"], state: sword,
            alert: LiveActivityAlert(
                title: .localized(key: "%@ is on an adventure!", arguments: ["Power Panda"]),
                body: .localized(key: "Follow %@ on the Lock Screen.", arguments: ["Power Panda"])),
            staleDate: 1_685_959_200, relevanceScore: 100, input: .token)
        #expect(try json(payload) == SortedJSON.golden("start"))
    }

    @Test(
        "a start has attributes, their type, an alert, and one way for its updates",
        arguments: [
            (LiveActivityInput?.none, ""), (.token, #""input-push-token":1,"#),
            (.channel("dHN0LXNyY2g="), #""input-push-channel":"dHN0LXNyY2g=","#),
        ])
    func start(input: LiveActivityInput?, key: String) throws {
        let payload = LiveActivityPayload.start(
            at: 1_685_952_000, attributesType: "AdventureAttributes",
            attributes: ["hero": "Power Panda"], state: sword,
            alert: LiveActivityAlert(title: "To arms!", body: "A quest begins.", sound: nil),
            staleDate: 1_685_959_200, input: input)
        #expect(
            try json(payload) == """
                {"aps":{"alert":{"body":"A quest begins.","title":"To arms!"},\
                "attributes":{"hero":"Power Panda"},"attributes-type":"AdventureAttributes",\
                "content-state":{"currentHealthLevel":0.941,\
                "eventDescription":"Power Panda found a sword!"},"event":"start",\
                \(key)"stale-date":1685959200,"timestamp":1685952000}}
                """)
    }

    @Test(
        "a state's own writer and JSONEncoder give the same JSON",
        arguments: [0, 0.001, 0.1, 0.23, 0.941, 1, 1e-7, 1e21, 0.30000000000000004],
        ["", "🐼 found a \"sword\" \\ /\n\t\u{1}", "ドラゴンが現れた！", "\u{2028}\u{7F}é"])
    func writersAgree(health: Double, words: String) throws {
        let fast = FastState(currentHealthLevel: health, eventDescription: words)
        let plain = PlainState(currentHealthLevel: health, eventDescription: words)
        #expect(
            try json(.update(at: 1, state: fast)) == json(.update(at: 1, state: plain)))
    }

    @Test("P3: the content state decodes with a default JSONDecoder")
    func decodes() throws {
        struct Body: Decodable {
            struct Aps: Decodable {
                let state: FastState
                enum CodingKeys: String, CodingKey { case state = "content-state" }
            }
            let aps: Aps
        }
        let bytes = try LiveActivityPayload.update(at: 1, state: sword).encoded()
        let body = try JSONDecoder().decode(Body.self, from: Data(bytes))
        #expect(body.aps.state == sword)
    }

    @Test("a Date in a state is seconds since 2001, as a default JSONDecoder reads it")
    func dates() throws {
        struct Timed: Codable, Sendable { var at = Date(timeIntervalSince1970: 978_307_205) }
        let payload = LiveActivityPayload.update(at: 1, state: Timed())
        #expect(
            try json(payload)
                == #"{"aps":{"content-state":{"at":5},"event":"update","timestamp":1}}"#)
    }

    @Test("fields of every kind, nested ones too, are written")
    func fields() throws {
        struct Rich: LiveActivityContent {
            struct Item: Encodable { let name = "sword" }
            let item = Item()
            let level = 7
            let isDown = true
            func write(to json: inout JSONFields) {
                json.object("item") { $0.field("name", item.name) }
                json.field("level", level)
                json.field("isDown", isDown)
            }
        }
        let payload = LiveActivityPayload.update(at: 1, state: Rich())
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let slow = String(decoding: try encoder.encode(Rich()), as: UTF8.self)
        #expect(
            try json(payload)
                == #"{"aps":{"content-state":\#(slow),"event":"update","timestamp":1}}"#)
    }
}

@Suite("What cannot be written is refused in words")
struct PayloadErrorTests {
    @Test(
        "a payload above its limit is refused with both sizes",
        arguments: [(PayloadLimit.device, 4096), (.broadcast, 5120)])
    func size(limit: PayloadLimit, bytes: Int) throws {
        func payload(_ count: Int) -> LiveActivityPayload<PlainState> {
            let words = String(repeating: "x", count: count)
            return .update(at: 1, state: PlainState(currentHealthLevel: 1, eventDescription: words))
        }
        let frame = try payload(0).encoded().count
        #expect(try payload(bytes - frame).encoded(limit: limit).count == bytes)
        #expect(throws: PayloadError.tooLarge(bytes: bytes + 1, limit: bytes)) {
            try payload(bytes + 1 - frame).encoded(limit: limit)
        }
    }

    @Test(
        "P1, P6, P8: dates in milliseconds are refused",
        arguments: [
            ("timestamp", LiveActivityPayload.update(at: 1_685_952_000_000, state: [1: 1])),
            ("stale-date", .update(at: 1, state: [1: 1], staleDate: 1_685_952_000_000)),
            ("dismissal-date", .end(at: 1, finalState: nil, dismissalDate: 1_685_952_000_000)),
        ])
    func milliseconds(key: String, payload: LiveActivityPayload<[Int: Int]>) {
        #expect(throws: PayloadError.badDate(key: key, value: 1_685_952_000_000)) {
            try payload.encoded()
        }
    }

    @Test("a health that is no number is refused by its name, with the fast writer and without")
    func notANumber() {
        let fast = FastState(currentHealthLevel: .nan, eventDescription: "")
        let plain = PlainState(currentHealthLevel: .infinity, eventDescription: "")
        #expect(throws: PayloadError.notANumber(key: "content-state.currentHealthLevel")) {
            try LiveActivityPayload.update(at: 1, state: fast).encoded()
        }
        #expect(throws: PayloadError.notEncodable(key: "content-state", type: "PlainState")) {
            try LiveActivityPayload.update(at: 1, state: plain).encoded()
        }
        #expect(throws: PayloadError.notANumber(key: "relevance-score")) {
            try LiveActivityPayload.update(at: 1, state: [1: 1], relevanceScore: -.infinity)
                .encoded()
        }
    }

    @Test("a state that is no object is refused")
    func noObject() {
        #expect(throws: PayloadError.notAnObject(key: "content-state", type: "Array<Int>")) {
            try LiveActivityPayload.update(at: 1, state: [1, 2]).encoded()
        }
    }
}
