import APNsClient
import Testing

@testable import APNsSimulator

@Suite struct DeviceWarningsTests {
    private static let state =
        #""content-state":{"currentHealthLevel":0.5,"eventDescription":"Hi"}"#
    private static let head = #""timestamp":1685952000,"event":"update""#

    @Test(
        "P3 to P8: what a device would drop or mistreat is accepted with a warning",
        arguments: [
            (#"{\#(head),\#(state)}"#, nil),
            (#"{"event":"update",\#(state)}"#, "aps.timestamp is missing"),
            (#"{"timestamp":1685952000000,"event":"update",\#(state)}"#, "in milliseconds"),
            (#"{"timestamp":1685953000,"event":"update",\#(state)}"#, "in the future"),
            (#"{"timestamp":1685952000,\#(state)}"#, "aps.event is missing"),
            (#"{"timestamp":1685952000,"event":"updated",\#(state)}"#, "aps.event is 'updated'"),
            (#"{\#(head)}"#, "content-state is missing"),
            (#"{\#(head),"content-state":7}"#, "is no object"),
            (#"{\#(head),"content-state":{"eventDescription":"Hi"}}"#, "Level is missing"),
            (
                #"{\#(head),"content-state":{"currentHealthLevel":"1","eventDescription":"Hi"}}"#,
                "Level is no number"
            ),
            (
                #"{\#(head),"content-state":{"currentHealthLevel":100,"eventDescription":"Hi"}}"#,
                "outside 0.0…1.0"
            ),
            (#"{\#(head),\#(state),"alert":{"body":"b"}}"#, "no title"),
            (#"{\#(head),\#(state),"alert":{"title":"t"}}"#, "no body"),
            (
                #"{\#(head),\#(state),"alert":{"title":"t","body":"b","loc-key":"k"}}"#,
                "loc-key of ordinary notifications"
            ),
            (#"{\#(head),\#(state),"stale-date":1685951999}"#, "stale-date lies in the past"),
            (#"{\#(head),\#(state),"stale-date":1685959200000}"#, "stale-date is in milliseconds"),
            (#"{\#(head),\#(state),"dismissal-date":1685952001}"#, "works on end only"),
            (
                #"{"timestamp":1685952000,"event":"end","dismissal-date":1685966401}"#,
                "more than four hours"
            ),
            (#"{\#(head),\#(state),"input-push-token":1}"#, "only a start may have that"),
            (#"{"timestamp":1685952000,"event":"start",\#(state)}"#, "A start needs an alert"),
        ] as [(String, String?)])
    func warned(aps: String, words: String?) throws {
        var scene = try Scene()
        let warnings = scene.warnings(aps)
        if let words {
            #expect(warnings.contains { $0.contains(words) }, "\(warnings)")
        } else {
            #expect(warnings == [])
        }
    }

    @Test("P4: an alert at low priority is warned about")
    func quietAlert() throws {
        var scene = try Scene()
        let aps = #"{\#(Self.head),\#(Self.state),"alert":{"title":"t","body":"b"}}"#
        #expect(scene.warnings(aps) == [])
        var other = try Scene()
        #expect(other.warnings(aps, priority: "5").count == 1)
    }

    @Test("P1: a timestamp that does not increase is warned about, per token")
    func order() throws {
        var scene = try Scene()
        let aps = #"{\#(Self.head),\#(Self.state)}"#
        #expect(scene.warnings(aps) == [])
        #expect(scene.warnings(aps).count == 1)
        let other = scene.request(path: "/3/device/00ff")
        #expect(scene.send(other).record.accepted?.warnings == [])
    }

    @Test("a push after the end is warned about")
    func afterTheEnd() throws {
        var scene = try Scene()
        #expect(scene.warnings(#"{"timestamp":1685951990,"event":"end"}"#) == [])
        #expect(scene.warnings(#"{\#(Self.head),\#(Self.state)}"#).count == 1)
    }
}

@Suite("What a simulator's device insists on")
struct RequiredFieldsTests {
    private static let kinds: [(ContentSchema.Kind, good: [String], bad: [String])] = [
        (.text, [#""a""#], ["1", "null", "[]", "true"]),
        (.number(in: nil), ["1", "1.5", "-2e3"], [#""1""#, "null", "{}"]),
        (.number(in: 0...1), ["0", "1", "0.5"], ["2", "-0.1", "false"]),
        (.integer, ["1", "-7", "2.0"], ["1.5", #""1""#, "null"]),
        (.truth, ["true", "false"], ["null", "1", #""true""#]),
        (.date, ["707748423.5"], [#""2023-06-05""#, "null"]),
        (.array(.text), ["[]", "[1]"], ["{}", "null", "1"]),
        (.object(ContentSchema([])), ["{}", #"{"a":1}"#], ["[]", "null", "1"]),
        (.anything, ["1", "null", "[]", "{}", "true", #""a""#], []),
    ]

    /// Whether the value fits, as the tree and as the scan see it.
    private func fits(_ value: String, _ kind: ContentSchema.Kind) throws -> [Bool] {
        let schema = RequiredFields(ContentSchema([.init("field", kind)]))
        let body = Array(#"{"aps":{"content-state":{"field":\#(value)}}}"#.utf8)
        let aps = try #require(JSONValue(body)?["aps"])
        let scanned = body.withUnsafeBufferPointer { PayloadScan.outline($0, schema) }
        let wanted = ApsOutline.Content.object(fitting: schema.allFitting)
        return [ApsOutline(aps, schema).content == wanted, scanned?.content == wanted]
    }

    @Test("each kind of a schema takes its own values and no others, in the tree and in the scan")
    func kinds() throws {
        for (kind, good, bad) in Self.kinds {
            for value in good {
                #expect(try fits(value, kind) == [true, true], "\(kind) \(value)")
            }
            for value in bad {
                #expect(try fits(value, kind) == [false, false], "\(kind) \(value)")
            }
        }
    }

    @Test("what may be left out is not insisted on")
    func optional() {
        let schema = RequiredFields(ContentSchema([.init("a", .text, .optional)]))
        #expect(schema.mismatches(in: .object([])).isEmpty)
        #expect(schema.allFitting == 0)
    }
}
