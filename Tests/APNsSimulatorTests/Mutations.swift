import HTTP2

@testable import APNsSimulator

/// Payloads and requests that differ from good ones at random, the same from the same seed.
struct Mutations {
    private var dice: FaultDice

    init(seed: UInt64) { dice = FaultDice(seed: seed) }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int(dice.next() % UInt64(choices.count))]
    }

    /// Happens about once in so many times.
    mutating func happens(onceIn times: UInt64) -> Bool { dice.next() % times == 0 }

    // MARK: Payloads

    private static let apsKeys = [
        "event", "timestamp", "content-state", "alert", "stale-date", "dismissal-date",
        "attributes-type", "attributes", "input-push-token", "input-push-channel",
        "relevance-score", "e\\u0076ent", "a\\/b", "überschrift",
    ]
    private static let stateKeys = [
        "currentHealthLevel", "eventDescription", "extra", "eventDescriptio\\u006e",
    ]
    private static let alertKeys = [
        "title", "body", "sound", "loc-key", "loc-args", "title-loc-key", "title-loc-args",
    ]
    private static let scalars = [
        "1685952000", "1685952000000", "0", "-0", "-1", "0.5", "0.941", "1", "1.0000001", "1e2",
        "1E+2", "12e-3", "1e400", "-1e-400", "01", "1.", "9007199254740993",
        "123456789012345678901",
        "0.1234567890123456789", "2.2250738585072014e-308", "true", "false", "null", "tru", "{}",
        "[]", "[1,[2,{\"a\":\"b\"}]]", "\"update\"", "\"start\"", "\"end\"", "\"upd\\u0061te\"",
        "\"\"", "\"Egghead\"", "\"ein längerer Satz über 🐼 und 🥚, der weitergeht\"",
        "\"a\\n\\\"b\"",
        "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\x\"", "\"line\nbreak\"", "\"open",
    ]

    /// A body, with its `aps` in an object or nearly so.
    mutating func body() -> [UInt8] {
        let text =
            switch dice.next() % 12 {
            case 0: scalar
            case 1: "{\"aps\":\(scalar)}"
            case 2: "{\"aps\":\(aps()),\"other\":\(scalar),\"aps\":\(aps())}"
            case 3: " {\n\"other\" : \(scalar) ,\t\"aps\" : \(aps()) }\r\n"
            case 4: "{\"a\\u0070s\":\(aps())}"
            default: "{\"aps\":\(aps())}"
            }
        var bytes = Array(text.utf8)
        while happens(onceIn: 4), !bytes.isEmpty { mutate(&bytes) }
        return bytes
    }

    private var scalar: String { mutating get { pick(Self.scalars) } }

    private mutating func aps() -> String {
        // Half of them begin as good ones do.
        var members =
            happens(onceIn: 2)
            ? [
                "\"timestamp\":1685952000", "\"event\":\"update\"",
                "\"content-state\":{\"currentHealthLevel\":0.5,\"eventDescription\":\"Hi\"}",
            ] : []
        while !happens(onceIn: 4) { members.append(member()) }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func member() -> String {
        let key = pick(Self.apsKeys)
        let value =
            switch dice.next() % 6 {
            case 0: object(Self.stateKeys)
            case 1: object(Self.alertKeys)
            default: scalar
            }
        return "\"\(key)\":\(value)"
    }

    private mutating func object(_ keys: [String]) -> String {
        var members: [String] = []
        while !happens(onceIn: 4) {
            let value = happens(onceIn: 4) ? "{\"loc-key\":\(scalar)}" : scalar
            members.append("\"\(pick(keys))\":\(value)")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int(dice.next() % UInt64(bytes.count))
        switch dice.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: dice.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(pick(Array("{}[]\",:\\0e-. ".utf8)), at: place)
        default: bytes.removeSubrange(place...)
        }
    }

    // MARK: Requests

    private static let values: [String: [String?]] = [
        "apns-topic": [nil, "", Scene.bundleID, "org.other.push-type.liveactivity", Scene.topic],
        "apns-push-type": [nil, "alert", "background", "widgets", "LiveActivity", "voip", ""],
        "apns-priority": [
            nil, "1", "5", "10", "05", "+5", "7", "", "high", "99999999999999999999",
        ],
        "apns-expiration": [nil, "0", "1685952060", "00", "99999999999", "100000000000", "-1", ""],
        "apns-collapse-id": [
            nil, "", "a", String(repeating: "b", count: 64), String(repeating: "c", count: 65),
            "ü", String(repeating: "ü", count: 33),
        ],
        "apns-id": [
            nil, "01234567-89ab-4cde-8f01-23456789abcd", "01234567-89AB-4CDE-8F01-23456789ABCD",
            "01234567-89ab-4cde-8f01-23456789abce", "0123456789-123456789-123456789-12345", "42",
            "01234567-89ab-4cde-8f01-23456789abcg",
        ],
    ]
    private static let paths = [
        "/3/device/\(Scene.token)", "/3/device/00FF", "/3/device/00ff", "/3/device/0", "/3/device",
        "/3/device/", "/3/device/xy", "/3/device/00/11", "/3/devices/00", "/4/device/00",
        "/3/device/0011223344556677889", "/3/device/00112233445566778g",
        "/3/device/" + String(repeating: "0a", count: 256),
        "/3/device/" + String(repeating: "0a", count: 513),
    ]

    /// A request of which most is good. `bearers` are the provider tokens to choose from.
    mutating func request(_ scene: Scene, bearers: [String?]) -> HTTP2Request {
        var changes: [String: String?] = ["authorization": bearers[0]]
        if happens(onceIn: 8) { changes["authorization"] = pick(bearers) }
        for (name, values) in Self.values.sorted(by: { $0.key < $1.key })
        where happens(onceIn: 6) { changes[name] = pick(values) }
        var extra: [HTTP2Header] = []
        if happens(onceIn: 16) {
            extra.append(HTTP2Header(pick(Self.values.keys.sorted()), "10"))
        }
        let request = scene.request(
            changes, method: happens(onceIn: 30) ? "GET" : "POST",
            path: happens(onceIn: 3) ? pick(Self.paths) : Self.paths[0], extra: extra)
        return HTTP2Request(
            method: request.method, path: request.path, headers: request.headers,
            body: happens(onceIn: 2) ? body() : request.body)
    }
}
