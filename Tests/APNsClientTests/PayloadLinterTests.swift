internal import Foundation
internal import Testing

@testable internal import APNsClient

@Suite("The linter says what APNs or a device would do to a payload")
struct PayloadLinterTests {
    private let linter = PayloadLinter(schema: PayloadRuleTable.schema)

    private func rules(_ payload: String, _ context: PayloadLinter.Context) -> Set<String> {
        Set(linter.findings(in: Array(payload.utf8), context: context).map(\.rule.id))
    }

    @Test("each rule is found where it alone is broken", arguments: PayloadRuleTable.all)
    func found(row: PayloadRuleRow) {
        #expect(rules(row.bad, row.context) == [row.rule])
    }

    @Test("no rule is found where nothing is broken", arguments: PayloadRuleTable.all)
    func notFound(row: PayloadRuleRow) {
        #expect(rules(row.good, row.goodContext ?? row.context) == [])
    }

    @Test("every rule has its row, and no row has a rule that is not listed")
    func complete() {
        #expect(Set(PayloadRuleTable.all.map(\.rule)) == Set(PayloadRule.allCases.map(\.id)))
        #expect(Set(PayloadRule.allCases).count == PayloadRule.allCases.count)
    }

    @Test("each rule ends its sentence with what happens and what to do")
    func sentences() {
        for rule in PayloadRule.allCases {
            #expect(
                !rule.id.isEmpty
                    && rule.id.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
            #expect(rule.consequence.split(separator: ";").count == 2, "\(rule.id)")
            #expect(!rule.consequence.hasSuffix("."), "\(rule.id)")
        }
    }

    @Test("a finding is one sentence with the key's path, and its rule and severity")
    func words() throws {
        let bad = PayloadRuleTable.update.replacing("1685952000", with: "1685952000123")
        let findings = linter.findings(in: Array(bad.utf8))
        let finding = try #require(findings.first)
        #expect(finding.path == "aps.timestamp")
        #expect(
            finding.description == """
                dropped: aps.timestamp is 1685952000123, which is in milliseconds: the device \
                reads seconds: a date beyond the year 5138; divide by 1,000. \
                [date-in-milliseconds]
                """)
    }

    @Test("at a start content state and attributes count together, elsewhere not")
    func startContent() {
        let words = String(repeating: "x", count: 2_100)
        let start = PayloadRuleTable.start.replacing("Hi", with: words)
        #expect(rules(start, PayloadLinter.Context()) == [])
        let both = start.replacing(#""Panda""#, with: #""\#(words)""#)
        #expect(rules(both, PayloadLinter.Context()) == ["content-too-large", "too-large"])
        let update = both.replacing(#""start""#, with: #""update""#)
        #expect(!rules(update, PayloadLinter.Context()).contains("content-too-large"))
    }

    @Test("a finding about broken JSON names the byte")
    func offset() {
        let findings = linter.findings(in: Array(#"{"aps":{"event":update}}"#.utf8))
        #expect(findings.map(\.sentence).first?.contains("byte 16 should be a value") == true)
    }

    @Test("a finding holds no text of the payload")
    func secrecy() {
        let secret = "hunter2"
        let payload = #"""
            {"aps":{"timestamp":"\#(secret)","event":"\#(secret)","content-state":"\#(secret)",
            "alert":{"title":{"loc-key":1,"x":"\#(secret)"}},"attributes-type":"\#(secret)"}}
            """#
        let findings = linter.findings(in: Array(payload.utf8))
        #expect(findings.count > 3)
        #expect(!findings.contains { $0.description.contains(secret) })
    }

    @Test("without a schema the content is not judged")
    func noSchema() {
        let payload = PayloadRuleTable.update.replacing("0.5", with: #""?""#)
        #expect(PayloadLinter().findings(in: Array(payload.utf8)) == [])
        #expect(linter.findings(in: Array(payload.utf8)).count == 1)
    }

    @Test("the golden files have nothing that a device would mind", arguments: golden)
    func goldenFiles(name: String) throws {
        let schema = LiveActivitySchema(
            contentState: ContentSchema([
                .init("currentHealthLevel", .number(in: 0...1)), .init("eventDescription", .text),
            ]))
        let payload = Array(try SortedJSON.golden(name).utf8)
        #expect(PayloadLinter(schema: schema).findings(in: payload) == [])
    }

    @Test("the library's own payloads of other push types have nothing that a device would mind")
    func otherTypes() throws {
        let token = Sample.token
        let id = Sample.bundleID
        let notification = NotificationPayload(
            title: .localized(key: "%@ is knocked down!", arguments: ["Panda"]), body: "Potion!")
        let requests = [
            try PushRequest.alert(notification, to: token, bundleID: id),
            .background(to: token, bundleID: id), .widgets(to: token, bundleID: id),
            .controls(to: token, bundleID: id),
        ]
        for request in requests { #expect(linter.findings(in: request) == []) }
    }

    private static let golden = [
        "update", "update-alert", "update-alert-localized", "update-relevance", "update-stale",
        "end-dismissal",
    ]
}

@Suite("What the linter knows of an app's types")
struct ContentSchemaTests {
    private struct Foe: Encodable { var name = "bat" }
    private enum Place: String, Encodable { case woods }

    private struct Sample: Encodable {
        var currentHealthLevel = 1.0
        var eventDescription = "Hi"
        var level = 7
        var isDown = false
        var until = Date(timeIntervalSince1970: 978_307_205)
        var since: Date? = Date(timeIntervalSince1970: 978_307_205)
        var place = Place.woods
        var items = [1, 2]
        var foe: Foe? = Foe()
        var scores = ["panda": 1]
        var nothing: Int?
    }

    @Test("a schema is learned from a sample of the app's own type")
    func sample() throws {
        let schema = try ContentSchema(sample: Sample())
        let expected: [ContentSchema.Field] = [
            .init("currentHealthLevel", .number()), .init("eventDescription", .text),
            .init("level", .integer), .init("isDown", .truth), .init("until", .date),
            .init("since", .date, .optional), .init("place", .text),
            .init("items", .array(.integer)),
            .init("foe", .object(ContentSchema([.init("name", .text)])), .optional),
            .init("scores", .anything), .init("nothing", .anything, .optional),
        ]
        #expect(schema.fields.sorted { $0.name < $1.name } == expected.sorted { $0.name < $1.name })
    }

    @Test("a sample that is no object is refused")
    func noObject() {
        #expect(throws: PayloadError.notAnObject(key: "sample", type: "Array<Int>")) {
            try ContentSchema(sample: [1])
        }
    }

    @Test("a schema is read from a file")
    func file() throws {
        let json = #"""
            {"attributes-type":"AdventureAttributes","attributes":{"hero":{"name":"text"}},
             "content-state":{"currentHealthLevel":"number 0...1","eventDescription":"text",
               "level":"integer?","isDown":"truth","until":"date?","items":["text"],
               "rate":"number","power":"number 0...9?","extra":"anything?"}}
            """#
        let expected = LiveActivitySchema(
            contentState: ContentSchema([
                .init("currentHealthLevel", .number(in: 0...1)), .init("eventDescription", .text),
                .init("level", .integer, .optional), .init("isDown", .truth),
                .init("until", .date, .optional), .init("items", .array(.text)),
                .init("rate", .number()), .init("power", .number(in: 0...9), .optional),
                .init("extra", .anything, .optional),
            ]),
            attributesType: "AdventureAttributes",
            attributes: ContentSchema([
                .init("hero", .object(ContentSchema([.init("name", .text)])))
            ]))
        #expect(try LiveActivitySchema(json: Array(json.utf8)) == expected)
    }

    @Test(
        "a schema that cannot be read says which key and what to write",
        arguments: [
            ("{", SchemaError.notJSON("byte 1 should be a key in quotation marks")),
            ("{}", .missing("content-state")),
            (#"{"state":{}}"#, .unknownKey("state")),
            (#"{"content-state":7}"#, .badKind("content-state")),
            (#"{"content-state":{"a":"string"}}"#, .badKind("content-state.a")),
            (#"{"content-state":{"a":["text","text"]}}"#, .badKind("content-state.a")),
            (#"{"content-state":{"a":"number 1...0"}}"#, .badKind("content-state.a")),
            (#"{"content-state":{"a":"text","a":"text"}}"#, .badKind("content-state.a")),
        ])
    func unreadable(json: String, error: SchemaError) {
        #expect(throws: error) { try LiveActivitySchema(json: Array(json.utf8)) }
    }
}
