extension APNsClient {
    /// Which APNs, as whom, and how.
    ///
    /// TLS with verification is not a setting: there is no way around it.
    public struct Configuration: Sendable {
        /// Where to, such as "api.push.apple.com" or "api.sandbox.push.apple.com".
        public var host: String
        /// 443; Apple offers 2197 too.
        public var port: UInt16 = 443
        /// A PEM file of trusted roots, for a simulator; `nil`: the system's.
        public var trustedCAFile: String?
        /// An HTTP proxy in between; `nil`: none.
        public var proxy: APNsProxy?
        /// How many connections share the pushes: the knob for throughput.
        public var connections = 2
        /// How long connecting may take, lookup and TLS included: a handshake of ten seconds is
        /// late but good.
        public var connectTimeoutMilliseconds = 15_000
        /// How long an answer may take; after it the push's fate is unknown.
        public var requestTimeoutMilliseconds = 30_000
        /// How long a push may wait for a connection with room; after it, it was never sent.
        public var queueWaitMilliseconds = 15_000
        /// Pushes that may wait for a stream; above it new ones fail at once.
        public var queueMax = 10_000
        /// As whom.
        public var identity: Identity

        /// Where provider tokens come from.
        public enum Identity: Sendable {
            /// The client signs its own, with these keys: see ``ProviderTokens/init(_:)``.
            case keys([ProviderTokens.Key])
            /// Several clients of a team share them, so that all keep Apple's rule together.
            case shared(ProviderTokens)

            /// The tokens themselves; keys are read here.
            func tokens() throws(APNsConfigurationError) -> ProviderTokens {
                switch self {
                case .keys(let keys): try ProviderTokens(keys)
                case .shared(let tokens): tokens
                }
            }
        }

        /// A configuration with everything that has no default.
        public init(host: String, identity: Identity) {
            self.host = host
            self.identity = identity
        }

        /// The same for a client with one key of its own.
        public init(host: String, keyID: String, teamID: String, privateKeyPEM: PrivateKeyPEM) {
            self.init(
                host: host,
                identity: .keys([
                    ProviderTokens.Key(id: keyID, teamID: teamID, pem: privateKeyPEM)
                ]))
        }

        /// Whether the host is one of Apple's own.
        public var isApple: Bool {
            let name = host.lowercased()
            return name == "push.apple.com" || name.hasSuffix(".push.apple.com")
        }

        func validate() throws(APNsConfigurationError) {
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostCharacter) else {
                throw .unusable(
                    "the APNs host \"\(host)\" is not a host name: give it without https:// "
                        + "and without a port")
            }
            guard port > 0 else { throw .unusable("the APNs port must not be 0") }
            guard (1...Self.connectionsMax).contains(connections) else {
                throw .unusable(
                    "\(connections) connections are not between 1 and \(Self.connectionsMax)")
            }
            let bounds = [
                connectTimeoutMilliseconds, requestTimeoutMilliseconds, queueWaitMilliseconds,
                queueMax,
            ]
            guard bounds.allSatisfy({ $0 > 0 }) else {
                throw .unusable("the timeouts and the queue's length must be above 0")
            }
            for key in keys { try validate(key) }
        }

        private var keys: [ProviderTokens.Key] {
            switch identity {
            case .keys(let keys): keys
            case .shared(let tokens): tokens.keys
            }
        }

        private func validate(_ key: ProviderTokens.Key) throws(APNsConfigurationError) {
            try key.validate()
            guard !isApple || key.isAppleLike else {
                throw .unusable(
                    "the key id \"\(key.id)\" or the team id \"\(key.teamID)\" is not ten letters "
                        + "and digits: copy them from Apple's developer site")
            }
        }

        private static func isHostCharacter(_ byte: UInt8) -> Bool {
            ASCII.isAlphanumeric(byte) || ".-:".utf8.contains(byte)
        }

        private static let connectionsMax = 256
    }
}
