/// The names of effects in JSON.
private enum EffectName: String, CaseIterable {
    case refuse, answer, delay, shuffle, reset, drop, goaway
    case goawayTwice = "goaway-twice"
    case goawayUnprocessed = "goaway-unprocessed"
    case ignore, silence, streams, garbage, trailers, headers
}

extension Fault {
    private enum Limit {
        static let milliseconds = 0...3_600_000
        static let count = 1...1_000_000_000
    }

    /// Reads `{"effect": "refuse", "reason": "TooManyRequests", "share": 0.1, "times": 3}`.
    init(_ fields: inout ControlFields) throws(FieldError) {
        let effect = try Effect(&fields)
        let scope = try Scope(&fields)
        self.init(
            effect, for: scope,
            skipping: try fields.integer("skipping", in: 0...Limit.count.upperBound) ?? 0,
            every: try fields.integer("every", in: Limit.count) ?? 1,
            times: try fields.integer("times", in: Limit.count))
    }
}

extension Fault.Scope {
    fileprivate init(_ fields: inout ControlFields) throws(FieldError) {
        let token = try fields.text("token")
        let channel = try fields.text("channel")
        let share = try fields.fraction("share")
        switch (token, channel, share) {
        case (nil, nil, nil): self = .all
        case (let token?, nil, nil): self = .token(token)
        case (nil, let channel?, nil): self = .channel(channel)
        case (nil, nil, let share?): self = .share(share)
        default:
            throw FieldError(
                sentence: "'token', 'channel' and 'share' exclude each other.")
        }
    }
}

extension RefusalReason {
    /// The status of a reason that is not Apple's, unless the fault names another.
    private static let statusDefault = 400
    private static let statuses = 400...599

    /// Reads any reason. `status` overrides that of Apple's.
    fileprivate init(_ fields: inout ControlFields) throws(FieldError) {
        let text = try fields.text("reason").required("reason")
        let status = try fields.integer("status", in: Self.statuses)
        let known = RefusalReason(rawValue: text)
        self.init(text, status: status ?? known?.status ?? Self.statusDefault)
    }
}

extension Fault.Effect {
    private static let milliseconds = 0...3_600_000

    fileprivate init(_ fields: inout ControlFields) throws(FieldError) {
        let name = try fields.choice("effect", of: EffectName.self).required("effect")
        switch name {
        case .refuse:
            let reason = try RefusalReason(&fields)
            let timestamp = try fields.integer("timestamp", in: 0...Int.max)
            self = .refuse(reason, timestamp: timestamp.map { Int64($0) })
        case .answer:
            let status = try fields.integer("status", in: 100...9_999).required("status")
            self = .answer(status: status, body: Array((try fields.text("body") ?? "").utf8))
        case .delay: self = .delay(milliseconds: try Self.pause("milliseconds", &fields))
        case .shuffle:
            let from = try fields.integer("from", in: Self.milliseconds) ?? 0
            let to = try Self.pause("to", &fields)
            guard from <= to else { throw FieldError(sentence: "'from' must not be above 'to'.") }
            self = .shuffle(milliseconds: from...to)
        case .goaway: self = .goAway(reason: try Self.reason(&fields))
        case .goawayTwice:
            let pause = try fields.integer("milliseconds", in: Self.milliseconds) ?? 100
            self = .goAwayTwice(reason: try Self.reason(&fields), pauseMilliseconds: pause)
        case .goawayUnprocessed: self = .goAwayUnprocessed(reason: try Self.reason(&fields))
        case .reset, .drop, .ignore, .silence, .garbage, .streams, .trailers, .headers:
            self = try Self.breakage(name, &fields)
        }
    }

    /// Reads the effects without a response, or with an invalid one.
    private static func breakage(
        _ name: EffectName, _ fields: inout ControlFields
    ) throws(FieldError) -> Fault.Effect {
        switch name {
        case .reset:
            // 7 is REFUSED_STREAM (RFC 9113 section 7).
            let code = try fields.integer("code", in: 0...Int(UInt32.max)) ?? 7
            return .resetStream(errorCode: UInt32(code), try handling(&fields))
        case .drop: return .dropConnection(try handling(&fields))
        case .ignore: return .ignore(try handling(&fields))
        case .silence: return try silence(&fields)
        case .garbage:
            let kind = try fields.choice("kind", of: InvalidResponse.self).required("kind")
            return .garbage(kind, try handling(&fields))
        case .streams:
            let count = try fields.integer("max", in: 0...100_000).required("max")
            return .limitStreams(UInt32(count))
        case .trailers: return .trailers
        case .headers:
            return .hugeHeaders(bytes: try fields.integer("bytes", in: 1...1_048_576) ?? 65_536)
        case .refuse, .answer, .delay, .shuffle, .goaway, .goawayTwice, .goawayUnprocessed:
            throw FieldError(sentence: "'\(name.rawValue)' breaks nothing.")
        }
    }

    /// Reads a silence. One that ends is followed by the normal response, so the push cannot have
    /// another outcome.
    private static func silence(_ fields: inout ControlFields) throws(FieldError) -> Fault.Effect {
        let handling = try fields.choice("push", of: Fault.Handling.self)
        let length = try fields.integer("milliseconds", in: milliseconds)
        guard let length else { return .silence(handling ?? .untouched) }
        guard handling == nil else {
            throw FieldError(sentence: "'push' and 'milliseconds' exclude each other.")
        }
        return .rest(milliseconds: length)
    }

    private static func pause(
        _ name: String, _ fields: inout ControlFields
    ) throws(FieldError) -> Int {
        try fields.integer(name, in: milliseconds).required(name)
    }

    private static func reason(_ fields: inout ControlFields) throws(FieldError) -> String {
        try fields.text("reason") ?? "Shutdown"
    }

    private static func handling(_ fields: inout ControlFields) throws(FieldError) -> Fault.Handling
    {
        try fields.choice("push", of: Fault.Handling.self) ?? .untouched
    }
}
