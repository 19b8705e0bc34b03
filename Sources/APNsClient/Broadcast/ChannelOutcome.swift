/// The outcome of a channel management request.
public enum ChannelOutcome<Value: Sendable>: Sendable {
    /// APNs performed it.
    case done(Value)
    /// APNs refused it; the refusal contains the action to take.
    case refused(APNsClient.Refusal)
    /// It was not sent, or the peer did nothing: safe to repeat.
    case notSent(String)
    /// It was not sent, because its host is paused: safe to repeat after that time.
    case heldBack(String, retryAfterMilliseconds: Int64)
    /// The connection was lost before the response, or the response is invalid. An unknown channel
    /// may exist: `ChannelList` finds it.
    case unknown(String)
}

extension ChannelOutcome: Equatable where Value: Equatable {}
extension ChannelOutcome: Hashable where Value: Hashable {}
