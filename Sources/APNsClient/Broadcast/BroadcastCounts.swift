internal import HTTP2

extension BroadcastChannels {
    /// The hosts that channels use.
    public enum Host: String, Hashable, Sendable, CaseIterable {
        /// The host that creates, reads, lists and deletes channels.
        case management
        /// The first host for broadcasts.
        case publishing
        /// The second host for broadcasts.
        case alternative
    }

    /// One host's counts since the start, and its state.
    public struct Counts: Hashable, Sendable {
        /// Requests by ending. Requests refused before sending are not counted.
        package(set) public var endings: [Ending: Int] = [:]
        /// The host's state.
        package(set) public var hostState = APNsClient.HostState.working
        /// Pauses of this host.
        package(set) public var pauses = 0

        /// Creates empty counts.
        public init() {}
    }

    /// A request's ending as metric labels of bounded cardinality.
    public struct Ending: Hashable, Sendable {
        /// The HTTP status; `nil`: no response.
        public let status: Int?
        /// Why the request was not accepted: Apple's reason ("other" if undocumented), "not sent",
        /// "held back" or "unknown fate". Empty if accepted.
        public let reason: String

        /// Creates an ending from its fields.
        public init(status: Int?, reason: String) {
            self.status = status
            self.reason = reason
        }
    }
}

extension BroadcastChannels.Ending {
    init(_ result: RequestResult) {
        switch result {
        case .success(let response): self.init(status: response.status, reason: "")
        case .failure(.refused(let refusal)):
            self.init(status: refusal.status, reason: APNsReason.label(of: refusal.reason))
        case .failure(.notSent), .failure(.notTaken): self.init(status: nil, reason: "not sent")
        case .failure(.heldBack): self.init(status: nil, reason: "held back")
        case .failure(.unknown): self.init(status: nil, reason: "unknown fate")
        }
    }
}
