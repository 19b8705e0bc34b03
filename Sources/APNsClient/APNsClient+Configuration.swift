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
        /// How long connecting may take.
        public var connectTimeoutMilliseconds = 10_000
        /// How long an answer may take; after it the push's fate is unknown.
        public var requestTimeoutMilliseconds = 30_000
        /// How long a push may wait for a connection with room; after it, it was never sent.
        public var queueWaitMilliseconds = 15_000
        /// Pushes that may wait for a stream; above it new ones fail at once.
        public var queueMax = 10_000
        /// `kid`: the key's ten characters.
        public var keyID: String
        /// `iss`: the team's ten characters.
        public var teamID: String
        /// The key itself, from Apple's .p8 file.
        public var privateKeyPEM: PrivateKeyPEM

        /// A configuration with everything that has no default.
        public init(host: String, keyID: String, teamID: String, privateKeyPEM: PrivateKeyPEM) {
            self.host = host
            self.keyID = keyID
            self.teamID = teamID
            self.privateKeyPEM = privateKeyPEM
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
            try validate(keyID, named: "key id")
            try validate(teamID, named: "team id")
        }

        private func validate(_ id: String, named name: String) throws(APNsConfigurationError) {
            let isPlain =
                !id.isEmpty && id.utf8.count <= 64
                && id.utf8.allSatisfy(ASCII.isAlphanumeric)
            guard isPlain, !isApple || id.utf8.count == 10 else {
                throw .unusable(
                    "the \(name) \"\(id)\" is not ten letters and digits: copy it from Apple's "
                        + "developer site")
            }
        }

        private static func isHostCharacter(_ byte: UInt8) -> Bool {
            ASCII.isAlphanumeric(byte) || ".-:".utf8.contains(byte)
        }

        private static let connectionsMax = 256
    }
}
