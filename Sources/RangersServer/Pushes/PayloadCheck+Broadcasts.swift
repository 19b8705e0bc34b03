internal import APNsClient
internal import PushPolicy

/// Broadcasts have the same content and no alerts, and 5,120 bytes, 4,096 of them content.
extension PayloadCheck {
    /// Every sentence in every language, as an update and as an end.
    func broadcastFaults() -> [String] {
        Language.allCases.flatMap { language in
            longest(in: language).flatMap { kind in
                [PlannedPush.Event.update, Self.end].flatMap { event in
                    faults(
                        of: push(
                            event, telling: kind, nil, in: language,
                            to: .channel(ChannelName("AAAA"))))
                }
            }
        }
    }

    /// What a phone would mind in a broadcast, in sentences.
    func faults(of request: BroadcastRequest) throws -> [String] {
        var context = PayloadLinter.Context()
        context.destination = .broadcast
        context.priority = PushRequest.Priority.low.rawValue
        try request.validate()
        return linter.findings(in: request.payload, context: context).map(\.sentence)
    }
}
