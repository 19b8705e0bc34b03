internal import APNsClient
internal import HTTP2

/// Fast-paths clearly valid pushes by their bytes. `PushRules` handles everything unusual, valid or
/// not. The lane may be stricter than the rules, and never more lenient.
struct ExpressLane: Sendable {
    private let kinds: [Kind]
    private let schema: RequiredFields
    private var passes: [HTTP2Server.ConnectionID: Pass] = [:]
    /// The pass used last, because requests come in batches.
    private var last: (connection: HTTP2Server.ConnectionID, pass: Pass)?

    private enum Limit {
        static let passesMax = 8_192
        static let collapseBytes = 64
        /// The digits of a time before the year 5138.
        static let expirationDigits = 11
    }

    /// The headers and the size of a valid push of one type.
    private struct Kind: Sendable {
        let kind: PushKind
        let type: [UInt8]
        let topic: [UInt8]
        let priorities: Set<Int>
    }

    /// A provider token that the rules have accepted on a connection.
    private struct Pass: Sendable {
        let authorization: [UInt8]
        let token: ProviderTokenDesk.Verified
    }

    /// The needed parts of a push that may pass.
    struct Ticket {
        let token: TokenDigest
        let id: UInt128?
        /// The range of the id, to echo it unchanged.
        let idRange: Range<Int>?
        let priority: Int
        /// `nil` for pushes other than Live Activities.
        let aps: ApsOutline?
    }

    init(bundleID: String, schema: RequiredFields) {
        self.schema = schema
        let isPlain = bundleID.utf8.allSatisfy(PushRules.isTopicCharacter)
        kinds = (isPlain ? PushKind.allCases : []).map { kind in
            Kind(
                kind: kind, type: Array(kind.rawValue.utf8),
                topic: Array((bundleID + kind.topicSuffix).utf8), priorities: kind.priorities)
        }
    }

    /// Forgets all senders; the rules must accept them again.
    mutating func forgetSenders() {
        passes.removeAll(keepingCapacity: true)
        last = nil
    }

    /// Admits the sender of a push that the rules have accepted.
    mutating func admit(
        _ arrival: HTTP2Arrival, _ token: ProviderTokenDesk.Verified,
        on connection: HTTP2Server.ConnectionID
    ) {
        let authorization = arrival.bytes.withUnsafeBufferPointer { bytes in
            ExpressHeaders(arrival.fields, in: bytes)?.authorization
        }
        guard let authorization else { return }
        if passes.count >= Limit.passesMax { passes.removeAll(keepingCapacity: true) }
        passes[connection] = Pass(
            authorization: Array(arrival.bytes[authorization]), token: token)
        last = nil
    }

    /// Returns a ticket; `nil`: ask the rules. `now` is in milliseconds since 1970.
    mutating func ticket(
        for arrival: HTTP2Arrival, on connection: HTTP2Server.ConnectionID, at now: Int64
    ) -> Ticket? {
        guard let pass = pass(connection), pass.token.problem(at: now) == nil else { return nil }
        return arrival.bytes.withUnsafeBufferPointer { bytes in
            guard let headers = ExpressHeaders(arrival.fields, in: bytes),
                isAdmitted(pass, headers, bytes),
                let token = Self.token(arrival, bytes)
            else { return nil }
            return ticket(token, headers, body: bytes.part(arrival.body), bytes)
        }
    }

    private mutating func pass(_ connection: HTTP2Server.ConnectionID) -> Pass? {
        if let last, last.connection == connection { return last.pass }
        guard let pass = passes[connection] else { return nil }
        last = (connection, pass)
        return pass
    }

    private func isAdmitted(
        _ pass: Pass, _ headers: ExpressHeaders, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let authorization = headers.authorization else { return false }
        return pass.authorization.withUnsafeBufferPointer {
            $0.isSame(as: bytes.part(authorization))
        }
    }

    private static func token(
        _ arrival: HTTP2Arrival, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> TokenDigest? {
        let prefix: StaticString = "/3/device/"
        let start = arrival.path.lowerBound + prefix.utf8CodeUnitCount
        guard bytes.part(arrival.method).reads("POST"), start < arrival.path.upperBound,
            bytes.part(arrival.path.lowerBound..<start).reads(prefix)
        else { return nil }
        let token = bytes.part(start..<arrival.path.upperBound)
        guard token.count % 2 == 0, token.count <= DeviceToken.digitsMax else { return nil }
        return TokenDigest(token)
    }

    // MARK: Headers and body

    private func ticket(
        _ token: TokenDigest, _ headers: ExpressHeaders, body: UnsafeBufferPointer<UInt8>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Ticket? {
        guard let kind = kind(headers, bytes),
            let priority = Self.priority(headers.priority, kind, bytes),
            Self.isExpiration(headers.expiration, bytes),
            Self.isCollapseID(headers.collapseID, bytes),
            body.count <= kind.kind.payloadMax,
            let aps = PayloadScan.outline(body, schema)
        else { return nil }
        var id: UInt128?
        if let range = headers.id {
            id = UUIDText.read(bytes.part(range))
            guard id != nil else { return nil }
        }
        return Ticket(
            token: token, id: id, idRange: headers.id, priority: priority,
            aps: kind.kind == .liveactivity ? aps : nil)
    }

    private func kind(_ headers: ExpressHeaders, _ bytes: UnsafeBufferPointer<UInt8>) -> Kind? {
        guard let type = headers.pushType, let topic = headers.topic else { return nil }
        let kind = kinds.first { kind in
            kind.type.withUnsafeBufferPointer { $0.isSame(as: bytes.part(type)) }
        }
        guard let kind else { return nil }
        let isOwn = kind.topic.withUnsafeBufferPointer { $0.isSame(as: bytes.part(topic)) }
        return isOwn ? kind : nil
    }

    private static func priority(
        _ range: Range<Int>?, _ kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard let range else { return kind.kind.priorityDefault }
        let text = bytes.part(range)
        let priority = text.reads("10") ? 10 : text.reads("5") ? 5 : text.reads("1") ? 1 : 0
        return kind.priorities.contains(priority) ? priority : nil
    }

    private static func isExpiration(
        _ range: Range<Int>?, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let range else { return true }
        return (1...Limit.expirationDigits).contains(range.count)
            && bytes.part(range).allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
    }

    private static func isCollapseID(
        _ range: Range<Int>?, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let range else { return true }
        return (1...Limit.collapseBytes).contains(range.count)
            && bytes.part(range).allSatisfy { $0 < 0x80 }
    }
}
