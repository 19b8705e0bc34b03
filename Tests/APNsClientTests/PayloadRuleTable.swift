internal import Testing

@testable internal import APNsClient

/// A payload that breaks exactly one rule, and its neighbour that breaks none.
struct PayloadRuleRow: Sendable, CustomTestStringConvertible {
    let rule: String
    let bad: String
    let good: String
    var context = PayloadLinter.Context()
    /// Where the good one needs another context than the bad one.
    var goodContext: PayloadLinter.Context?

    var testDescription: String { "\(rule): \(bad.prefix(200))" }
}

/// One row at least for each rule.
enum PayloadRuleTable {
    /// Apple's sample, with every kind of field added.
    static let schema = LiveActivitySchema(
        contentState: ContentSchema([
            .init("currentHealthLevel", .number(in: 0...1)), .init("eventDescription", .text),
            .init("level", .integer, .optional), .init("isDown", .truth, .optional),
            .init("until", .date, .optional), .init("items", .array(.text), .optional),
            .init("foe", .object(ContentSchema([.init("name", .text)])), .optional),
            .init("extra", .anything, .optional),
        ]),
        attributesType: "AdventureAttributes",
        attributes: ContentSchema([.init("hero", .text)]))

    static let all = document + delivery + events + dates + content + starts + alerts + keys

    // MARK: Pieces

    static let state = #""content-state":{"currentHealthLevel":0.5,"eventDescription":"Hi"}"#
    static let stamp = #""timestamp":1685952000"#
    static let update = #"{"aps":{\#(stamp),"event":"update",\#(state)}}"#
    static let end = #"{"aps":{\#(stamp),"event":"end",\#(state)}}"#
    private static let type = #""attributes-type":"AdventureAttributes""#
    private static let hero = #""attributes":{"hero":"Panda"}"#
    private static let alert = #""alert":{"title":"t","body":"b"}"#
    private static let begin = #"{"aps":{\#(stamp),"event":"start",\#(state)"#
    static let start = #"\#(begin),\#(type),\#(hero),\#(alert)}}"#

    private static func context(
        _ change: (inout PayloadLinter.Context) -> Void
    ) -> PayloadLinter.Context {
        var context = PayloadLinter.Context()
        change(&context)
        return context
    }

    /// An update with further keys in its `aps`, beside one that has others.
    private static func update(
        _ rule: String, _ bad: String, _ good: String,
        _ context: PayloadLinter.Context = PayloadLinter.Context()
    ) -> PayloadRuleRow {
        func payload(_ keys: String) -> String {
            keys.isEmpty ? update : #"{"aps":{\#(stamp),"event":"update",\#(state),\#(keys)}}"#
        }
        return PayloadRuleRow(rule: rule, bad: payload(bad), good: payload(good), context: context)
    }

    /// An end with further keys.
    private static func end(
        _ rule: String, _ bad: String, _ good: String,
        _ context: PayloadLinter.Context = PayloadLinter.Context()
    ) -> PayloadRuleRow {
        func payload(_ keys: String) -> String {
            keys.isEmpty ? end : #"{"aps":{\#(stamp),"event":"end",\#(state),\#(keys)}}"#
        }
        return PayloadRuleRow(rule: rule, bad: payload(bad), good: payload(good), context: context)
    }

    /// An update of another content state.
    private static func state(_ rule: String, _ bad: String, _ good: String) -> PayloadRuleRow {
        func payload(_ fields: String) -> String {
            #"{"aps":{\#(stamp),"event":"update","content-state":{\#(fields)}}}"#
        }
        return PayloadRuleRow(rule: rule, bad: payload(bad), good: payload(good))
    }

    /// A start with these keys behind its content state.
    private static func start(_ rule: String, _ bad: String, _ good: String) -> PayloadRuleRow {
        PayloadRuleRow(rule: rule, bad: "\(begin),\(bad)}}", good: "\(begin),\(good)}}")
    }

    /// An update of this many bytes.
    private static func update(bytes: Int) -> String {
        let frame = update.replacing("Hi", with: "")
        let words = String(repeating: "x", count: bytes - frame.utf8.count)
        return update.replacing("Hi", with: words)
    }

    /// The same with the app's own data beside `aps`, where it is no content.
    private static func broadcast(bytes: Int) -> String {
        let frame = String(update.dropLast()) + #","party":""}"#
        let words = String(repeating: "x", count: bytes - frame.utf8.count)
        return String(update.dropLast()) + #","party":"\#(words)"}"#
    }

    /// An update whose content state is so large, which a broadcast has room for.
    private static func update(contentBytes: Int) -> String {
        let empty = #"{"currentHealthLevel":0.5,"eventDescription":""}"#
        let words = String(repeating: "x", count: contentBytes - empty.utf8.count)
        return update.replacing("Hi", with: words)
    }

    // MARK: Rows

    private static let document = [
        PayloadRuleRow(rule: "payload-empty", bad: "", good: update),
        PayloadRuleRow(rule: "not-json", bad: #"{"aps" 1}"#, good: update),
        PayloadRuleRow(rule: "not-json", bad: " ", good: update),
        PayloadRuleRow(rule: "aps-missing", bad: "{}", good: update),
        PayloadRuleRow(rule: "aps-missing", bad: #"{"aps":[]}"#, good: update),
        PayloadRuleRow(rule: "aps-missing", bad: "7", good: update),
        PayloadRuleRow(
            rule: "too-large", bad: update(bytes: 4097), good: update(bytes: 4096)),
        PayloadRuleRow(
            rule: "too-large", bad: broadcast(bytes: 5121), good: broadcast(bytes: 5120),
            context: context { $0.destination = .broadcast }),
        update("key-twice", stamp, ""),
        state(
            "key-twice", #""currentHealthLevel":1,"eventDescription":"a","eventDescription":"b""#,
            #""currentHealthLevel":1,"eventDescription":"a""#),
    ]

    private static let delivery = [
        PayloadRuleRow(
            rule: "priority-not-allowed", bad: update, good: update,
            context: context { $0.priority = 1 }, goodContext: context { $0.priority = 5 }),
        PayloadRuleRow(
            rule: "priority-not-allowed", bad: update, good: update,
            context: context {
                $0.priority = 7
                $0.destination = .broadcast
            },
            goodContext: context {
                $0.priority = 1
                $0.destination = .broadcast
            }),
        PayloadRuleRow(
            rule: "start-by-broadcast", bad: start, good: update,
            context: context { $0.destination = .broadcast }),
        other("push-type-mismatch", .alert, update, #"{"aps":{"alert":{"title":"t"}}}"#),
        PayloadRuleRow(
            rule: "priority-not-allowed", bad: #"{"aps":{"content-available":1}}"#,
            good: #"{"aps":{"content-available":1}}"#,
            context: context { $0.pushType = .background },
            goodContext: context {
                $0.pushType = .background
                $0.priority = 5
            }),
        other(
            "background-without-call", .background, #"{"aps":{"content-available":true}}"#,
            #"{"aps":{"content-available":1},"party":"p1"}"#),
        other(
            "background-with-sign", .background, #"{"aps":{"content-available":1,"badge":1}}"#,
            #"{"aps":{"content-available":1}}"#),
        other(
            "reload-without-call", .widgets, #"{"aps":{"content-changed":1}}"#,
            #"{"aps":{"content-changed":true}}"#),
        other(
            "reload-without-call", .controls, #"{"aps":{}}"#, #"{"aps":{"content-changed":true}}"#),
        other(
            "activity-localization", .alert, #"{"aps":{"alert":{"title":{"loc-key":"k"}}}}"#,
            #"{"aps":{"alert":{"title-loc-key":"k","loc-key":"b"},"sound":"default"}}"#),
    ]

    /// A push that is no Live Activity's.
    private static func other(
        _ rule: String, _ type: PushRequest.PushType, _ bad: String, _ good: String
    ) -> PayloadRuleRow {
        let context = context {
            $0.pushType = type
            $0.priority = 5
        }
        return PayloadRuleRow(rule: rule, bad: bad, good: good, context: context)
    }

    private static let events = [
        PayloadRuleRow(
            rule: "event-missing", bad: #"{"aps":{\#(stamp),\#(state)}}"#, good: update),
        PayloadRuleRow(
            rule: "event-unknown", bad: update.replacing("update", with: "Update"), good: update),
        PayloadRuleRow(
            rule: "timestamp-missing", bad: #"{"aps":{"event":"update",\#(state)}}"#,
            good: update),
    ]

    private static let dates = [
        PayloadRuleRow(
            rule: "date-in-milliseconds",
            bad: update.replacing("1685952000", with: "1685952000123"), good: update),
        update(
            "date-in-milliseconds", #""stale-date":1685952900000"#, #""stale-date":1685952900"#),
        end(
            "date-in-milliseconds", #""dismissal-date":1685952900000"#,
            #""dismissal-date":1685952900.5"#),
        PayloadRuleRow(
            rule: "date-not-a-number",
            bad: update.replacing("1685952000", with: #""2023-06-05T08:00:00Z""#), good: update),
        update("date-not-a-number", #""stale-date":null"#, ""),
        PayloadRuleRow(
            rule: "date-since-2001", bad: update.replacing("1685952000", with: "707644800"),
            good: update),
        update("date-since-2001", #""stale-date":707645700"#, #""stale-date":1685952900"#),
        PayloadRuleRow(
            rule: "timestamp-ahead", bad: update, good: update,
            context: context { $0.now = 1_685_951_939 },
            goodContext: context { $0.now = 1_685_951_940 }),
        update("stale-date-in-past", #""stale-date":1685952000"#, #""stale-date":1685952001"#),
        update(
            "stale-date-in-past", #""stale-date":1685952100"#, #""stale-date":1685952101"#,
            context { $0.now = 1_685_952_100 }),
        update("dismissal-without-end", #""dismissal-date":1685952900"#, ""),
        end(
            "dismissal-too-late", #""dismissal-date":1685966401"#,
            #""dismissal-date":1685966400"#),
        end(
            "dismissal-too-late", #""dismissal-date":1685966341"#,
            #""dismissal-date":1685966340"#, context { $0.endedAt = 1_685_951_940 }),
        end("dismissal-in-past", #""dismissal-date":1685952000"#, #""dismissal-date":1685952001"#),
        PayloadRuleRow(
            rule: "dismissal-in-past",
            bad: #"{"aps":{\#(stamp),"event":"end",\#(state),"dismissal-date":1}}"#,
            good: #"{"aps":{\#(stamp),"event":"end",\#(state),"dismissal-date":1}}"#,
            goodContext: context { $0.dismissal = .atOnce }),
    ]

    private static let content = [
        PayloadRuleRow(
            rule: "content-state-missing", bad: #"{"aps":{\#(stamp),"event":"update"}}"#,
            good: update),
        PayloadRuleRow(
            rule: "end-without-content-state", bad: #"{"aps":{\#(stamp),"event":"end"}}"#,
            good: end),
        PayloadRuleRow(
            rule: "content-too-large", bad: update(contentBytes: 4097),
            good: update(contentBytes: 4096),
            context: context { $0.destination = .broadcast }),
        state(
            "field-missing", #""eventDescription":"Hi""#,
            #""currentHealthLevel":0,"eventDescription":"Hi""#),
        field("field-missing", #""foe":{}"#, #""foe":{"name":"bat"}"#),
        state(
            "field-of-wrong-type", #""currentHealthLevel":"0.5","eventDescription":"Hi""#,
            #""currentHealthLevel":5e-1,"eventDescription":"Hi""#),
        state(
            "field-of-wrong-type", #""currentHealthLevel":1,"eventDescription":null"#,
            #""currentHealthLevel":1,"eventDescription":"Hi""#),
        field("field-of-wrong-type", #""level":1.5"#, #""level":2.0"#),
        field("field-of-wrong-type", #""isDown":1"#, #""isDown":true"#),
        field("field-of-wrong-type", #""until":"2023-06-05T08:00:00Z""#, #""until":707644800"#),
        field("field-of-wrong-type", #""items":["rope",7]"#, #""items":["rope"]"#),
        field("field-of-wrong-type", #""items":"rope""#, #""items":[]"#),
        field("field-of-wrong-type", #""foe":"bat""#, #""foe":null"#),
        state(
            "field-out-of-range", #""currentHealthLevel":100,"eventDescription":"Hi""#,
            #""currentHealthLevel":1,"eventDescription":"Hi""#),
        field("field-date-since-1970", #""until":1685952900"#, #""until":707645700.25"#),
        field("field-unknown", #""health":1"#, #""extra":[1,{}]"#),
    ]

    /// An optional field beside the required ones.
    private static func field(_ rule: String, _ bad: String, _ good: String) -> PayloadRuleRow {
        let required = #""currentHealthLevel":0.5,"eventDescription":"Hi""#
        return state(rule, "\(required),\(bad)", "\(required),\(good)")
    }

    private static let starts = [
        update("start-key-elsewhere", hero, ""),
        end("start-key-elsewhere", #""input-push-token":1"#, ""),
        start("start-without-alert", "\(type),\(hero)", "\(type),\(hero),\(alert)"),
        start("start-without-attributes-type", "\(hero),\(alert)", "\(type),\(hero),\(alert)"),
        start("start-without-attributes", "\(type),\(alert)", "\(type),\(hero),\(alert)"),
        start(
            "attributes-type-unknown",
            #""attributes-type":"Emoji.AdventureAttributes",\#(hero),\#(alert)"#,
            "\(type),\(hero),\(alert)"),
        start(
            "both-inputs",
            #"\#(type),\#(hero),\#(alert),"input-push-token":1,"input-push-channel":"dHN0""#,
            #"\#(type),\#(hero),\#(alert),"input-push-channel":"dHN0""#),
        start(
            "field-missing", #"\#(type),"attributes":{},\#(alert)"#,
            #"\#(type),\#(hero),\#(alert),"input-push-token":1"#),
    ]

    private static let alerts = [
        update("alert-without-title", #""alert":{"body":"b"}"#, alert),
        update("alert-without-title", #""alert":{"title":"","body":"b"}"#, alert),
        update("alert-without-body", #""alert":{"title":"t"}"#, alert),
        update("alert-text-unreadable", #""alert":{"title":7,"body":"b"}"#, alert),
        update(
            "alert-text-unreadable",
            #""alert":{"title":{"loc-key":"%@!","loc-args":[1]},"body":"b"}"#,
            #""alert":{"title":{"loc-key":"%@!","loc-args":["x"]},"body":{"loc-key":"y"}}"#),
        update("ordinary-localization", #""alert":{"title-loc-key":"k","body":"b"}"#, alert),
        update(
            "ordinary-localization", #""alert":{"title":"t","loc-key":"k","loc-args":[]}"#, alert),
        PayloadRuleRow(
            rule: "alert-at-low-priority",
            bad: #"{"aps":{\#(stamp),"event":"update",\#(state),\#(alert)}}"#, good: update,
            context: context { $0.priority = 5 }),
        update(
            "sound-outside-alert", #"\#(alert),"sound":"default""#,
            #""alert":{"title":"t","body":"b","sound":"default"}"#),
    ]

    private static let keys = [
        update("relevance-not-a-number", #""relevance-score":"100""#, #""relevance-score":0.5"#),
        PayloadRuleRow(
            rule: "key-of-wrong-type", bad: update.replacing(#""update""#, with: "1"),
            good: update),
        PayloadRuleRow(
            rule: "key-of-wrong-type",
            bad: #"{"aps":{\#(stamp),"event":"update","content-state":"{}"}}"#, good: update),
        update("key-of-wrong-type", #""alert":"Hi""#, alert),
        update("key-of-wrong-type", #""alert":{"title":"t","body":"b","sound":{}}"#, alert),
        start(
            "key-of-wrong-type", #"\#(type),\#(hero),\#(alert),"input-push-token":true"#,
            #"\#(type),\#(hero),\#(alert),"input-push-token":1"#),
        end("without-effect-at-end", #""stale-date":1685952900"#, ""),
        end("without-effect-at-end", #""relevance-score":100"#, ""),
        update("key-misspelt", #""staleDate":1685952900"#, #""stale-date":1685952900"#),
        update("key-misspelt", #""Relevance_Score":1"#, #""relevance-score":1"#),
        PayloadRuleRow(
            rule: "key-outside-aps",
            bad: #"{"aps":{\#(stamp),"event":"update",\#(state)},"relevance-score":1}"#,
            good: #"{"aps":{\#(stamp),"event":"update",\#(state)},"party":"p1"}"#),
        update("key-unknown", #""badge":1"#, ""),
    ]
}
