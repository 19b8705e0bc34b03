import HTTP2
import APNsClient
import Testing

@testable import APNsSimulator

@Suite("The simulator warns of what the linter finds")
struct LinterAgreementTests {
    private static let stamp = #""timestamp":1685952000"#
    private static let state =
        #""content-state":{"currentHealthLevel":0.5,"eventDescription":"Hi"}"#
    private static let update = #"\#(stamp),"event":"update",\#(state)"#
    private static let end = #"\#(stamp),"event":"end",\#(state)"#
    private static let alert = #""alert":{"title":"t","body":"b"}"#
    private static let attributes = #""attributes-type":"AdventureAttributes","attributes":{}"#
    private static let start = #"\#(stamp),"event":"start",\#(state),\#(alert),\#(attributes)"#

    private func lint(_ aps: String) -> [String] {
        let linter = PayloadLinter(schema: Scene.schema)
        var context = PayloadLinter.Context()
        context.now = Scene.start / 1_000
        // The simulator cannot know what was meant.
        context.dismissal = .atOnce
        return linter.findings(in: Array(#"{"aps":{\#(aps)}}"#.utf8), context: context)
            .filter { $0.rule.severity != .notice }.map(\.sentence)
    }

    /// A broadcast, which has room for more content than a device takes.
    @Test("both find content above 4 KB and no byte earlier", arguments: [4_096, 4_097])
    func contentSize(bytes: Int) throws {
        let frame = #"{"currentHealthLevel":0.5,"eventDescription":""}"#
        let words = String(repeating: "x", count: bytes - frame.utf8.count)
        let body = #"{"aps":{\#(Self.update)}}"#.replacing("Hi", with: words)
        var scene = try ChannelScene()
        #expect(scene.response(to: scene.publish(body: body))?.status == 200)
        var context = PayloadLinter.Context()
        context.destination = .broadcast
        let findings = PayloadLinter(schema: Scene.schema)
            .findings(in: Array(body.utf8), context: context)
        #expect(findings.map(\.rule.id) == (bytes > 4_096 ? ["content-too-large"] : []))
        #expect(scene.scene.apns.counters.warned == (bytes > 4_096 ? 1 : 0))
    }

    @Test(
        "both find nothing",
        arguments: [
            update, end, start, "\(update),\(alert)", #"\#(update),"stale-date":1685952900"#,
            #"\#(update),"relevance-score":100"#, #"\#(end),"dismissal-date":1685952900"#,
            #"\#(start),"input-push-token":1"#,
            #"\#(update),"alert":{"title":{"loc-key":"k","loc-args":["a"]},"body":"b"}"#,
        ])
    func good(aps: String) throws {
        var scene = try Scene()
        #expect(scene.warnings("{\(aps)}") == [])
        #expect(lint(aps) == [])
    }

    @Test(
        "both find the same",
        arguments: [
            #""event":"update",\#(state)"#, #"\#(stamp),\#(state)"#,
            #"\#(stamp),"event":"updated",\#(state)"#, #"\#(stamp),"event":"update""#,
            #""timestamp":1685952000000,"event":"update",\#(state)"#,
            #""timestamp":1685953000,"event":"update",\#(state)"#,
            #""timestamp":"now","event":"update",\#(state)"#,
            #"\#(stamp),"event":"update","content-state":7"#,
            #"\#(stamp),"event":"update","content-state":{"eventDescription":"Hi"}"#,
            #"\#(stamp),"event":"update","content-state":{"currentHealthLevel":1}"#,
            #"\#(stamp),"event":"update","content-state":{"currentHealthLevel":"1","#
                + #""eventDescription":"Hi"}"#,
            #"\#(stamp),"event":"update","content-state":{"currentHealthLevel":2,"#
                + #""eventDescription":"Hi"}"#,
            #"\#(update),"alert":{"body":"b"}"#, #"\#(update),"alert":{"title":"t"}"#,
            #"\#(update),"alert":{"title":"t","body":"b","loc-key":"k"}"#,
            #"\#(update),"stale-date":1685952000"#, #"\#(update),"stale-date":1685952900000"#,
            #"\#(update),"stale-date":"soon""#, #"\#(update),"dismissal-date":1685952900"#,
            #"\#(end),"dismissal-date":1685966401"#, #"\#(update),"input-push-token":1"#,
            #"\#(update),\#(attributes)"#, #"\#(stamp),"event":"start",\#(state),\#(attributes)"#,
            #"\#(stamp),"event":"start",\#(state),\#(alert)"#,
            #"\#(start),"input-push-token":1,"input-push-channel":"dHN0""#,
        ])
    func bad(aps: String) throws {
        var scene = try Scene()
        let warnings = scene.warnings("{\(aps)}")
        #expect(!warnings.isEmpty)
        #expect(warnings == lint(aps))
    }
}
