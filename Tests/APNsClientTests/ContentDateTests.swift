internal import Foundation
internal import Testing

@testable internal import APNsClient

@Suite("A type's own writer gives the JSON of a default JSONEncoder, dates included")
struct ContentDateTests {
    /// Dates wherever a state or attributes may have them, written by `JSONEncoder`.
    private struct Plain: Codable, Hashable {
        struct Camp: Codable, Hashable { var until: Date }
        var name = "Power Panda"
        var startedAt: Date
        var camp: Camp
        var level = 7
        var isDown = false
    }

    /// The same, with a writer of its own.
    private struct Fast: Codable, Hashable, LiveActivityContent {
        var name = "Power Panda"
        var startedAt: Date
        var camp: Plain.Camp
        var level = 7
        var isDown = false

        func write(to json: inout JSONFields) {
            json.field("name", name)
            json.field("startedAt", startedAt)
            json.object("camp") { $0.field("until", camp.until) }
            json.field("level", level)
            json.field("isDown", isDown)
        }
    }

    private static let dates = [
        0, 5, -86_400, 707_644_800, 707_644_800.123456, 0.1 + 0.2, 63_113_904_000, -978_307_200,
    ].map { Date(timeIntervalSinceReferenceDate: $0) }

    @Test("in a content state", arguments: dates)
    func states(date: Date) throws {
        let fast = Fast(startedAt: date, camp: .init(until: date + 60))
        let plain = Plain(startedAt: date, camp: .init(until: date + 60))
        let texts = try (
            SortedJSON.text(of: LiveActivityPayload.update(at: 1, state: fast).encoded()),
            SortedJSON.text(of: LiveActivityPayload.update(at: 1, state: plain).encoded())
        )
        #expect(texts.0 == texts.1)
    }

    @Test("in attributes, beside a state", arguments: dates)
    func attributes(date: Date) throws {
        let fast = Fast(startedAt: date, camp: .init(until: date))
        let plain = Plain(startedAt: date, camp: .init(until: date))
        #expect(try start(fast) == start(plain))
    }

    private func start(_ value: some Encodable & Sendable) throws -> String {
        try SortedJSON.text(
            of: LiveActivityPayload.start(
                at: 1, attributesType: "Attributes", attributes: value, state: value,
                alert: LiveActivityAlert(title: "t", body: "b")
            ).encoded())
    }

    @Test("a default JSONDecoder reads the very date back", arguments: dates)
    func decoded(date: Date) throws {
        struct Body: Decodable {
            struct Aps: Decodable {
                let state: Plain
                enum CodingKeys: String, CodingKey { case state = "content-state" }
            }
            let aps: Aps
        }
        let fast = Fast(startedAt: date, camp: .init(until: date))
        let bytes = try LiveActivityPayload.update(at: 1, state: fast).encoded()
        let state = try JSONDecoder().decode(Body.self, from: Data(bytes)).aps.state
        #expect(state == Plain(startedAt: date, camp: .init(until: date)))
    }

    @Test("the linter takes such a date for one, and not one that counts from 1970")
    func linted() throws {
        let value = Plain(startedAt: Self.dates[3], camp: .init(until: Self.dates[3]))
        let schema = LiveActivitySchema(contentState: try ContentSchema(sample: value))
        let linter = PayloadLinter(schema: schema)
        let good = try LiveActivityPayload.update(at: 1_685_952_000, state: value).encoded()
        #expect(linter.findings(in: good) == [])
        let wrong = String(decoding: good, as: UTF8.self)
            .replacing("707644800", with: "1685952000")
        let rules = linter.findings(in: Array(wrong.utf8)).map(\.rule.id)
        #expect(rules == ["field-date-since-1970", "field-date-since-1970"])
    }
}
