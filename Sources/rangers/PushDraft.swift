internal import APNsClient
internal import OptionParsing
internal import RangersServer

/// The push that the options of `rangers push` describe.
struct PushDraft {
    /// The kind of push: to one device, or to all followers of a channel.
    enum Message {
        case push(PushRequest)
        case broadcast(BroadcastRequest)
    }

    private let values: OptionValues
    private let dates: OptionDates

    init(_ values: OptionValues, now: Int64) {
        self.values = values
        dates = OptionDates(values, now: now)
    }

    func message() throws(OptionsError) -> Message {
        if let channel = values.text("channel") { return .broadcast(try broadcast(to: channel)) }
        let type = try pushType()
        let priority = try priority(of: type)
        let bundleID = try APNsOptions(values).bundleID()
        return .push(
            PushRequest(
                token: try token(), pushType: type, bundleID: bundleID,
                priority: priority, expiration: try dates.date("expiration"), id: .random(),
                collapseID: values.text("collapse-id"), payload: try payload(of: type)))
    }

    // MARK: Headers

    private func pushType() throws(OptionsError) -> PushRequest.PushType {
        try values.choice("push-type", of: PushRequest.PushType.self) ?? .liveactivity
    }

    /// Returns the priority: high by default, low where the push type requires it.
    private func priority(
        of type: PushRequest.PushType
    ) throws(OptionsError) -> PushRequest.Priority {
        let allowed = PushRequest.Priority.allCases.filter(type.allows)
        return try priority(of: allowed, "with push type \(type.rawValue)")
    }

    private func priority(
        of allowed: [PushRequest.Priority], _ condition: String
    ) throws(OptionsError) -> PushRequest.Priority {
        guard let text = values.text("priority") else { return allowed.last ?? .high }
        guard let priority = allowed.first(where: { "\($0.rawValue)" == text }) else {
            let words = allowed.map { "\($0.rawValue)" }.joined(separator: " or ")
            throw values.invalid("priority", expected: "\(words) \(condition)")
        }
        return priority
    }

    private func token() throws(OptionsError) -> DeviceToken {
        let token = DeviceToken(hex: try values.required("token").lowercased())
        guard token.isWellFormed else {
            throw values.invalid("token", expected: "the token in hexadecimal")
        }
        return token
    }

    // MARK: Broadcasts

    private func broadcast(to text: String) throws(OptionsError) -> BroadcastRequest {
        for name in ["token", "collapse-id"] {
            try values.refuse(name, because: "omitted with --channel")
        }
        guard try pushType() == .liveactivity else {
            throw values.invalid("push-type", expected: "liveactivity with --channel")
        }
        guard values.text("event") != "start" else {
            throw values.invalid(
                "event", expected: "update or end: a broadcast cannot start an activity")
        }
        let expiration = try dates.date("expiration") ?? 0
        return BroadcastRequest(
            payload: try payload(of: .liveactivity), channel: ChannelID(base64: text),
            bundleID: try APNsOptions(values).bundleID(),
            priority: try priority(of: PushRequest.Priority.allCases, "with --channel"),
            storage: expiration == 0 ? .noStorage : .mostRecent(until: expiration))
    }

    // MARK: Payload

    private func payload(of type: PushRequest.PushType) throws(OptionsError) -> [UInt8] {
        if let file = values.text("payload") { return try readPayload(file) }
        switch type {
        case .liveactivity: return try LiveActivityDraft(values, dates).payload()
        case .alert: return try AlertDraft(values).notification()
        case .background: return try signal(SignalPayload.contentAvailable, of: type)
        case .widgets, .controls: return try signal(SignalPayload.contentChanged, of: type)
        }
    }

    private func signal(
        _ payload: [UInt8], of type: PushRequest.PushType
    ) throws(OptionsError) -> [UInt8] {
        for name in PushOptions.ofPayload {
            try values.refuse(
                name, because: "omitted: pushes of type \(type.rawValue) have no content")
        }
        return payload
    }

    private func readPayload(_ file: String) throws(OptionsError) -> [UInt8] {
        for name in PushOptions.ofPayload {
            try values.refuse(name, because: "omitted: --payload is the whole payload")
        }
        guard let bytes = OptionFile.bytes(file) else {
            throw values.invalid("payload", expected: "a readable file")
        }
        return bytes
    }
}

extension OptionValues {
    /// Throws when the option is given where it has no meaning; `expected` completes "… must be".
    func refuse(_ name: String, because expected: String) throws(OptionsError) {
        guard text(name) == nil else { throw invalid(name, expected: expected) }
    }
}
