/// The hosts that manage channels and take broadcasts.
public struct BroadcastHosts: Hashable, Sendable {
    /// A host and its port.
    public struct Address: Hashable, Sendable {
        /// The host name, without https:// and without a port.
        public var host: String
        /// The port.
        public var port: UInt16

        /// Creates an address.
        public init(host: String, port: UInt16 = 443) {
            self.host = host
            self.port = port
        }
    }

    /// The host that creates, reads, lists and deletes channels.
    public var management: Address
    /// The host that takes broadcasts.
    public var publishing: Address
    /// The fallback when `publishing` is unreachable or takes no broadcasts (404, 405, 421, or a
    /// reason about a device or a topic): Apple's prose names one host and every sample another.
    /// `nil`: none.
    public var alternative: Address?

    /// Creates custom hosts, such as a simulator's.
    public init(management: Address, publishing: Address, alternative: Address? = nil) {
        self.management = management
        self.publishing = publishing
        self.alternative = alternative
    }

    /// Apple's hosts for development builds.
    public static let sandbox = BroadcastHosts(
        management: Address(host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195),
        publishing: Address(host: "api.sandbox.push.apple.com"),
        alternative: Address(host: "api-broadcast.sandbox.push.apple.com"))

    /// Apple's hosts for the App Store and TestFlight.
    public static let production = BroadcastHosts(
        management: Address(host: "api-manage-broadcast.push.apple.com", port: 2196),
        publishing: Address(host: "api.push.apple.com"),
        alternative: Address(host: "api-broadcast.push.apple.com"))
}
