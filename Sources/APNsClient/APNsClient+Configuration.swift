extension APNsClient {
    /// A client's host, credentials and limits.
    ///
    /// TLS verification is always on.
    public struct Configuration: Sendable {
        /// The host, such as "api.push.apple.com" or "api.sandbox.push.apple.com".
        public var host: String
        /// The port: 443; Apple also offers 2197.
        public var port: UInt16 = 443
        /// A PEM file of trusted roots, for a simulator; `nil`: the system's roots.
        public var trustedCAFile: String?
        /// The HTTP proxy; `nil`: none.
        public var proxy: APNsProxy?
        /// The number of connections that share the pushes; more of them raise the throughput.
        public var connections = 2
        /// The limit for connecting, with lookup and TLS. It allows a slow handshake of ten
        /// seconds.
        public var connectTimeoutMilliseconds = 15_000
        /// The limit for a response. After it the push's outcome is unknown.
        public var requestTimeoutMilliseconds = 30_000
        /// How long a push may wait for a connection with room. After that it fails as not sent.
        public var queueWaitMilliseconds = 15_000
        /// The most pushes that may wait for a stream. Beyond it new ones fail at once.
        public var queueMax = 10_000
        /// The client's credentials.
        public var identity: Identity

        /// The source of provider tokens.
        public enum Identity: Sendable {
            /// The client signs its own tokens with these keys; see ``ProviderTokens/init(_:)``.
            case keys([ProviderTokens.Key])
            /// Clients of one team share the tokens, and so Apple's limit.
            case shared(ProviderTokens)

            /// Returns the tokens; reads the keys if necessary.
            func tokens() throws(APNsConfigurationError) -> ProviderTokens {
                switch self {
                case .keys(let keys): try ProviderTokens(keys)
                case .shared(let tokens): tokens
                }
            }
        }

        /// Creates a configuration with defaults for all other settings.
        public init(host: String, identity: Identity) {
            self.host = host
            self.identity = identity
        }

        /// Creates a configuration for a client with a single key.
        public init(host: String, keyID: String, teamID: String, privateKeyPEM: PrivateKeyPEM) {
            self.init(
                host: host,
                identity: .keys([
                    ProviderTokens.Key(id: keyID, teamID: teamID, pem: privateKeyPEM)
                ]))
        }

        /// Whether the host is Apple's.
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
