/// Where channels are managed and where broadcasts are published.
public struct BroadcastHosts: Hashable, Sendable {
    /// A host and its port.
    public struct Address: Hashable, Sendable {
        /// Without https:// and without a port.
        public var host: String
        /// The port there.
        public var port: UInt16

        /// A host with its port.
        public init(host: String, port: UInt16 = 443) {
            self.host = host
            self.port = port
        }
    }

    /// Creates, reads, lists and deletes channels.
    public var management: Address
    /// Takes broadcasts.
    public var publishing: Address
    /// Takes them where `publishing` answers as a host that takes none (404, 405, 421, or about
    /// a device or a topic) or cannot be reached: Apple's prose names one host and every sample
    /// another. `nil`: nobody else does.
    public var alternative: Address?

    /// Hosts of a caller's own, such as a simulator's.
    public init(management: Address, publishing: Address, alternative: Address? = nil) {
        self.management = management
        self.publishing = publishing
        self.alternative = alternative
    }

    /// Apple's, for development builds.
    public static let sandbox = BroadcastHosts(
        management: Address(host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195),
        publishing: Address(host: "api.sandbox.push.apple.com"),
        alternative: Address(host: "api-broadcast.sandbox.push.apple.com"))

    /// Apple's, for the App Store and TestFlight.
    public static let production = BroadcastHosts(
        management: Address(host: "api-manage-broadcast.push.apple.com", port: 2196),
        publishing: Address(host: "api.push.apple.com"),
        alternative: Address(host: "api-broadcast.push.apple.com"))
}
