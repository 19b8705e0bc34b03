internal import HTTP2

extension BroadcastChannels {
    /// One of the hosts that channels need.
    public enum Host: String, Hashable, Sendable, CaseIterable {
        /// Creates, reads, lists and deletes channels.
        case management
        /// The first one for broadcasts.
        case publishing
        /// The second one for broadcasts.
        case alternative
    }

    /// What was counted at one host since the beginning, and how it does.
    public struct Counts: Hashable, Sendable {
        /// How many requests have ended in which way. A request that APNs would certainly refuse
        /// does not leave, and does not count.
        package(set) public var endings: [Ending: Int] = [:]
        /// How the host does.
        package(set) public var hostState = APNsClient.HostState.working
        /// How often the host was given a pause.
        package(set) public var pauses = 0

        /// Nothing yet.
        public init() {}
    }

    /// How a request has ended, as a metric would label it: there are few different ones.
    public struct Ending: Hashable, Sendable {
        /// The HTTP status; `nil`: there was no answer.
        public let status: Int?
        /// Why it was not accepted: Apple's reason ("other": none that Apple has documented), or
        /// "not sent", "held back" or "unknown fate". Empty for what was accepted.
        public let reason: String

        /// An ending with all of its fields.
        public init(status: Int?, reason: String) {
            self.status = status
            self.reason = reason
        }
    }
}

extension BroadcastChannels.Ending {
    init(_ result: RequestResult) {
        switch result {
        case .success(let answer): self.init(status: answer.status, reason: "")
        case .failure(.refused(let refusal)):
            self.init(status: refusal.status, reason: APNsReason.label(of: refusal.reason))
        case .failure(.notSent), .failure(.notTaken): self.init(status: nil, reason: "not sent")
        case .failure(.heldBack): self.init(status: nil, reason: "held back")
        case .failure(.unknown): self.init(status: nil, reason: "unknown fate")
        }
    }
}
