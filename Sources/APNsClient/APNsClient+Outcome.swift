internal import HTTP2

extension APNsClient {
    /// What APNs, or the way to it, made of one push.
    public enum Outcome: Hashable, Sendable {
        /// Status 200: accepted, which is not yet delivered.
        case accepted(apnsUniqueID: String?)
        /// Any other status, with what to do. A request that APNs would certainly refuse does not
        /// leave: it gets the answer that it would have got.
        case refused(Refusal)
        /// It did not leave, or the peer did nothing: safe to send again.
        case notSent(String)
        /// It did not leave, because APNs is in trouble or has found too much wrong with what we
        /// sent: send the newest content after so long.
        case heldBack(String, retryAfterMilliseconds: Int64)
        /// The connection was lost between sending and answer.
        case unknown(String)
    }

    /// Apple's answer to a push that it did not accept.
    public struct Refusal: Hashable, Sendable {
        /// The HTTP status.
        public let status: Int
        /// Apple's `reason`, as it came.
        public let reason: String
        /// With 410: since when the token is dead, milliseconds since 1970.
        public let timestamp: Int64?
        /// What the sender should do.
        public let action: APNsAction

        /// A refusal as APNs sent it.
        public init(status: Int, reason: String, timestamp: Int64?, action: APNsAction) {
            self.status = status
            self.reason = reason
            self.timestamp = timestamp
            self.action = action
        }

        /// The answer that a request would certainly get, so that it need not leave.
        static func certain(_ status: Int, _ reason: String) -> Refusal {
            Refusal(
                status: status, reason: reason, timestamp: nil,
                action: APNsReason.action(status: status, reason: reason))
        }
    }

    /// How a client's host does, as far as its answers tell.
    public enum HostState: String, Hashable, Sendable, CaseIterable {
        /// It answers.
        case working
        /// It finds too much wrong with our pushes: sending is slowed.
        case slowed
        /// It fails at everything: pushes are held back but for one now and then.
        case inTrouble
    }

    /// What a client has counted since it began, and how things stand.
    public struct Counts: Hashable, Sendable {
        /// Pushes that were sent again by the library.
        public internal(set) var repeated = 0
        /// Answers whose `apns-id` was not the push's own: something between us and Apple is odd.
        public internal(set) var strangeIDs = 0
        /// Provider tokens that were signed.
        public internal(set) var tokensSigned = 0
        /// The place of the provider key in use, from 1.
        public internal(set) var keyPlace = 1
        /// How the host does.
        public internal(set) var hostState = HostState.working
        /// How often the host was given a pause.
        public internal(set) var pauses = 0
        /// How many connections APNs has ended by GOAWAY, by its reason ("other": none that
        /// Apple has documented).
        public internal(set) var goAways: [String: Int] = [:]
        /// Pushes that were held back for the host's state.
        public internal(set) var heldBack = 0
        /// Device tokens that APNs has called bad and nobody has registered again.
        public internal(set) var tokensQuarantined = 0
        /// Pushes that did not leave because their token was one of these.
        public internal(set) var quarantineRefusals = 0

        /// Nothing yet.
        public init() {}
    }
}

extension APNsClient.Outcome {
    /// A push's outcome from what the sender says of its request. APNs answers 200 to a push; any
    /// other success is none that it documents.
    init(_ result: RequestResult) {
        switch result {
        case .success(let answer) where answer.status == 200:
            self = .accepted(apnsUniqueID: answer.value(of: .apnsUniqueID))
        case .success(let answer):
            self = .refused(APNsAnswer(body: answer.body).refusal(status: answer.status))
        case .failure(.refused(let refusal)): self = .refused(refusal)
        case .failure(.notSent(let why)), .failure(.notTaken(let why)): self = .notSent(why)
        case .failure(.heldBack(let why, let wait)):
            self = .heldBack(why, retryAfterMilliseconds: wait)
        case .failure(.unknown(let why)): self = .unknown(why)
        }
    }
}
