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
