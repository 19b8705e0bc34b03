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
            (
                #"{"timestamp":1685952000,"event":"updated",\#(state)}"#,
                "aps.event is not start, update or end"
            ),
            (#"{\#(head)}"#, "content-state is missing"),
            (
                #"{\#(head),"content-state":7}"#,
                "aps.content-state is a whole number, not an object"
            ),
            (#"{\#(head),"content-state":{"eventDescription":"Hi"}}"#, "Level is missing"),
            (
                #"{\#(head),"content-state":{"currentHealthLevel":"1","eventDescription":"Hi"}}"#,
                "Level is text, not a number"
            ),
            (
                #"{\#(head),"content-state":{"currentHealthLevel":100,"eventDescription":"Hi"}}"#,
                "Level is 100, outside 0…1"
            ),
            (#"{\#(head),\#(state),"alert":{"body":"b"}}"#, "aps.alert.title is missing"),
            (#"{\#(head),\#(state),"alert":{"title":"t"}}"#, "aps.alert.body is missing"),
            (
                #"{\#(head),\#(state),"alert":{"title":"t","body":"b","loc-key":"k"}}"#,
                "aps.alert.loc-key belongs to ordinary notifications"
            ),
            (#"{\#(head),\#(state),"stale-date":1685951999}"#, "stale-date is 1685951999, 1 s ago"),
            (
                #"{\#(head),\#(state),"stale-date":1685959200000}"#,
                "stale-date is 1685959200000, which is in milliseconds"
            ),
            (
                #"{\#(head),\#(state),"dismissal-date":1685952001}"#,
                "dismissal-date comes without an end"
            ),
            (
                #"{"timestamp":1685952000,"event":"end","dismissal-date":1685966401}"#,
                "dismissal-date is 14401 s after the end"
            ),
            (
                #"{\#(head),\#(state),"input-push-token":1}"#,
                "input-push-token comes with event update"
            ),
            (
                #"{"timestamp":1685952000,"event":"start",\#(state)}"#,
                "start must tell the person what begins"
            ),
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
