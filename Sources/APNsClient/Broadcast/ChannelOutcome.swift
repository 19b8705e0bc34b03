/// What became of an order about channels.
public enum ChannelOutcome<Value: Sendable>: Sendable {
    /// APNs has done it.
    case done(Value)
    /// APNs said no; with what to do.
    case refused(APNsClient.Refusal)
    /// It did not leave, or the peer did nothing: safe to send again.
    case notSent(String)
    /// It did not leave, because its host is given a pause: safe to send again after it.
    case heldBack(String, retryAfterMilliseconds: Int64)
    /// The connection was lost between sending and answer, or the answer makes no sense. A channel
    /// may exist that nobody knows: `ChannelCensus` finds it.
    case unknown(String)
}

extension ChannelOutcome: Equatable where Value: Equatable {}
extension ChannelOutcome: Hashable where Value: Hashable {}
