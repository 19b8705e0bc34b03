internal import APNsClient
internal import FoundationEssentials
internal import OptionParsing

/// The payload of a Live Activity that the options describe.
struct LiveActivityDraft {
    /// The content of Apple's sample.
    private struct ContentState: Encodable {
        let currentHealthLevel: Double
        let eventDescription: String
    }

    private enum Event: String, CaseIterable {
        case start, update, end
    }

    private let values: OptionValues
    private let dates: OptionDates

    init(_ values: OptionValues, _ dates: OptionDates) {
        self.values = values
        self.dates = dates
    }

    func payload() throws(OptionsError) -> [UInt8] {
        let payload = try typedPayload()
        let limit: PayloadLimit = values.text("channel") == nil ? .device : .broadcast
        do {
            return try payload.encoded(limit: limit)
        } catch {
            throw values.invalid(
                "event", expected: "given with options that make a valid payload: \(error)")
        }
    }

    private func typedPayload() throws(OptionsError) -> LiveActivityPayload<ContentState> {
        let event = try values.choice("event", of: Event.self) ?? .update
        if event != .start { try refuseStartKeys() }
        if event != .end {
            try values.refuse(
                "dismissal-date", because: "omitted: it works with --event end only")
        }
        switch event {
        case .start: return try start()
        case .update:
            return .update(
                at: try timestamp(), state: try state(), alert: try AlertDraft(values).alert(),
                staleDate: try dates.date("stale-date"), relevanceScore: try score())
        case .end: return try end()
        }
    }

    private func end() throws(OptionsError) -> LiveActivityPayload<ContentState> {
        for name in ["stale-date", "relevance-score"] {
            try values.refuse(name, because: "omitted with --event end")
        }
        let hasState = values.text("health") != nil || values.text("description") != nil
        return .end(
            at: try timestamp(), finalState: hasState ? try state() : nil,
            alert: try AlertDraft(values).alert(), dismissalDate: try dates.date("dismissal-date"))
    }

    private func start() throws(OptionsError) -> LiveActivityPayload<ContentState> {
        guard let alert = try AlertDraft(values).alert() else {
            throw .missing(
                flag: "--alert-title", variable: "RANGERS_ALERT_TITLE",
                purpose: "APNs requires an alert for a start")
        }
        return .start(
            at: try timestamp(), attributesType: try values.required("attributes-type"),
            attributes: try attributes(), state: try state(), alert: alert,
            staleDate: try dates.date("stale-date"), relevanceScore: try score(),
            input: try input())
    }

    // MARK: Parts

    private func timestamp() throws(OptionsError) -> Int64 {
        try dates.date("timestamp") ?? dates.now
    }

    private func state() throws(OptionsError) -> ContentState {
        _ = try values.required("health")
        return ContentState(
            currentHealthLevel: try values.number("health", in: 0...1) ?? 0,
            eventDescription: try values.required("description"))
    }

    private func score() throws(OptionsError) -> Double? {
        try values.number("relevance-score", in: -1e9...1e9)
    }

    private func attributes() throws(OptionsError) -> [String: AnyJSON] {
        let file = try values.required("attributes")
        guard let bytes = OptionFile.bytes(file),
            let json = try? JSONDecoder().decode([String: AnyJSON].self, from: Data(bytes))
        else { throw values.invalid("attributes", expected: "a file with a JSON object") }
        return json
    }

    private func input() throws(OptionsError) -> LiveActivityInput? {
        guard let channel = values.text("input-push-channel") else {
            return values.isOn("input-push-token") ? .token : nil
        }
        guard !values.isOn("input-push-token") else {
            throw values.invalid(
                "input-push-channel", expected: "omitted with --input-push-token")
        }
        guard ChannelID(base64: channel).isWellFormed else {
            throw values.invalid(
                "input-push-channel", expected: "a channel id from APNs, in base64")
        }
        return .channel(channel)
    }

    /// Refuses keys of a start: in an update or an end they would make the device drop the push.
    private func refuseStartKeys() throws(OptionsError) {
        for name in ["attributes-type", "attributes", "input-push-channel"] {
            try values.refuse(name, because: "omitted: it works with --event start only")
        }
        guard !values.isOn("input-push-token") else {
            throw values.invalid(
                "input-push-token", expected: "omitted: it works with --event start only")
        }
    }
}

/// JSON that passes through unchanged.
enum AnyJSON: Codable, Sendable {
    case null
    case truth(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let elements = try? value.decode([AnyJSON].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .truth(let truth): try value.encode(truth)
        case .integer(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .array(let elements): try value.encode(elements)
        case .object(let fields): try value.encode(fields)
        }
    }
}
