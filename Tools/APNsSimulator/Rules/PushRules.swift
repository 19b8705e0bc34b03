internal import APNsClient
internal import JSONReader

/// Checks a push to a device: pure, so that a table test can cover every reason.
///
/// Apple does not document the order of its checks; here it is target, sender, headers, body,
/// device.
struct PushRules: Sendable {
    private let bundleID: String
    let environment: APNsEnvironment
    /// The prefix of the topics of this app's other push types.
    private let kindPrefix: String

    init(bundleID: String, environment: APNsEnvironment) {
        self.bundleID = bundleID
        self.environment = environment
        kindPrefix = "\(bundleID).push-type."
    }

    /// The header values of an acceptable push.
    struct Envelope: Hashable, Sendable {
        /// Lower-case hex.
        let token: String
        let kind: PushKind
        let topic: String
        let priority: Int
        /// Seconds since 1970; 0: one attempt.
        let expiration: Int64?
        let collapseID: String?
    }

    /// Checks the method and the path; returns the token, unchanged.
    func checkTarget(_ facts: PushFacts) throws(Refusal) -> String {
        guard facts.method == "POST" else { throw Refusal(.methodNotAllowed) }
        if facts.path == "/3/device" { throw Refusal(.missingDeviceToken) }
        guard let token = facts.token, !token.utf8.contains(UInt8(ascii: "/")) else {
            throw Refusal(.badPath)
        }
        guard !token.isEmpty else { throw Refusal(.missingDeviceToken) }
        guard !facts.hasDuplicates else { throw Refusal(.duplicateHeaders) }
        return token
    }

    /// Checks the headers, the body's size and the device.
    func checkEnvelope(
        _ facts: PushFacts, token: String, registry: TokenRegistry
    ) throws(Refusal) -> Envelope {
        if let id = facts.apnsID, !Self.isUUID(id) { throw Refusal(.badMessageID) }
        let kind = try kind(of: facts)
        let topic = try checkTopic(facts, kind)
        let priority = try priority(of: facts, kind)
        let expiration = try expiration(of: facts)
        if let id = facts.collapseID, !(1...64).contains(id.utf8.count) {
            throw Refusal(.badCollapseID)
        }
        guard !facts.payload.isEmpty else { throw Refusal(.payloadEmpty) }
        guard facts.payload.count <= kind.payloadMax else { throw Refusal(.payloadTooLarge) }
        let token = try checkToken(token, registry)
        return Envelope(
            token: token, kind: kind, topic: topic, priority: priority, expiration: expiration,
            collapseID: facts.collapseID)
    }

    /// Parses the body as JSON. Apple documents no reason for a body that is not a JSON object with
    /// `aps`; the nearest is `PayloadEmpty`.
    func checkPayload(_ payload: [UInt8]) throws(Refusal) -> JSONValue {
        guard let json = JSONValue(payload), json["aps"]?.fields?.isEmpty == false else {
            throw Refusal(.payloadEmpty)
        }
        return json
    }

    // MARK: Headers

    /// Returns the push type. Without the header APNs assumes an alert, which contradicts a Live
    /// Activity's topic.
    private func kind(of facts: PushFacts) throws(Refusal) -> PushKind {
        guard let text = facts.pushType else {
            let isPlain = facts.topic?.contains(".push-type.") != true
            guard isPlain else { throw Refusal(.invalidPushType) }
            return .alert
        }
        guard let kind = PushKind(rawValue: text) else { throw Refusal(.invalidPushType) }
        return kind
    }

    private func checkTopic(_ facts: PushFacts, _ kind: PushKind) throws(Refusal) -> String {
        guard let topic = facts.topic, !topic.isEmpty else { throw Refusal(.missingTopic) }
        guard topic.hasSuffix(kind.topicSuffix), topic.utf8.count > kind.topicSuffix.utf8.count,
            topic.utf8.allSatisfy(Self.isTopicCharacter)
        else { throw Refusal(.badTopic) }
        let isOwn =
            topic.hasPrefix(bundleID)
            && topic.utf8.count == bundleID.utf8.count + kind.topicSuffix.utf8.count
        guard !isOwn else { return topic }
        // A topic of another push type of this app: a wrong suffix, not another app.
        guard !topic.hasPrefix(kindPrefix) else { throw Refusal(.badTopic) }
        throw Refusal(.topicDisallowed)
    }

    private func priority(of facts: PushFacts, _ kind: PushKind) throws(Refusal) -> Int {
        guard let text = facts.priority else { return kind.priorityDefault }
        guard let number = Self.number(text), kind.priorities.contains(Int(number)) else {
            throw Refusal(.badPriority)
        }
        return Int(number)
    }

    private func expiration(of facts: PushFacts) throws(Refusal) -> Int64? {
        guard let text = facts.expiration else { return nil }
        return try Self.expiration(text)
    }

    /// Parses seconds since 1970. Values after the year 5138 are in milliseconds.
    static func expiration(_ text: String) throws(Refusal) -> Int64 {
        guard let number = number(text), number < 100_000_000_000 else {
            throw Refusal(.badExpirationDate)
        }
        return number
    }

    private func checkToken(_ token: String, _ registry: TokenRegistry) throws(Refusal) -> String {
        guard token.utf8.count % 2 == 0, token.utf8.count <= DeviceToken.digitsMax,
            token.utf8.allSatisfy(Self.isHexDigit)
        else { throw Refusal(.badDeviceToken) }
        let token = Self.lowerCase(token)
        try registry.check(token, bundleID: bundleID, environment: environment)
        return token
    }

    // MARK: Characters

    /// Returns the token in lower case, which most senders already use.
    static func lowerCase(_ token: String) -> String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return token.utf8.contains(where: capitals.contains) ? token.lowercased() : token
    }

    /// Parses digits only: neither a sign nor a fraction.
    private static func number(_ text: String) -> Int64? {
        let isPlain = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isPlain ? Int64(text) : nil
    }

    /// Returns whether the text is 8-4-4-4-12 hex digits, in either case: APNs accepts both, though
    /// it writes lower case.
    static func isUUID(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count == 36 else { return false }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default: guard isHexDigit(byte) else { return false }
            }
        }
        return true
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func isTopicCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
