internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// Broadcasts have the same cards and no alerts, and 5,120 bytes, 4,096 of them content.
extension PayloadCheck {
    /// Every sentence in every language, as an update and as an end.
    func broadcastFaults() -> [String] {
        Language.allCases.flatMap { language in
            longest(in: language).flatMap { kind in
                [PushOrder.Event.update, Self.end].flatMap { event in
                    broadcastFaults(of: order(event, telling: kind, nil), in: language)
                }
            }
        }
    }

    private func broadcastFaults(of order: PushOrder, in language: Language) -> [String] {
        let name = "a broadcast of \"\(order.card.phrase.key)\" in \(language.rawValue)"
        var context = PayloadLinter.Context()
        context.destination = .broadcast
        context.priority = PushRequest.Priority.low.rawValue
        do {
            let request = try encoding.broadcast(
                for: order, on: ChannelName("AAAA"), in: language)
            try request.validate()
            return linter.findings(in: request.payload, context: context)
                .map { "\(name): \($0.sentence)" }
        } catch {
            return ["\(name): \(error)"]
        }
    }
}
