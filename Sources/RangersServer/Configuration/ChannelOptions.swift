internal import APNsClient
internal import OptionParsing
internal import PushPolicy

/// An option that is on or off.
enum Switch: String, CaseIterable {
    case on, off
}

/// The options of broadcast channels. The switch is explicit: channels must also be enabled for the
/// app at Apple.
struct ChannelOptions {
    static let all = [
        Option(
            "channels", "on|off",
            "Broadcast channels for spectators; the app needs the broadcast capability",
            default: "off"),
        Option(
            "apns-management-host", "HOST",
            "The host that manages channels; by default Apple's, otherwise --apns-host"),
        Option(
            "apns-management-port", "PORT",
            "Its port; by default Apple's, 2195 or 2196, otherwise --apns-port"),
        Option(
            "apns-broadcast-host", "HOST",
            "The host for broadcasts; by default Apple's, otherwise --apns-host"),
        .toggle(
            "delete-orphan-channels",
            "Delete channels unknown to this server; only if no other server has the app"),
    ]

    private let values: OptionValues

    init(_ values: OptionValues) { self.values = values }

    /// Returns the hosts of channels; `nil`: the server has none.
    func hosts(
        besides apns: APNsClient.Configuration
    ) throws(OptionsError) -> BroadcastHosts? {
        switch try values.choice("channels", of: Switch.self) {
        case .off, nil: return nil
        case .on: break
        }
        var hosts = Self.ownHosts(apns)
        if let host = values.text("apns-management-host") { hosts.management.host = host }
        if let port = try values.integer("apns-management-port", in: 1...65_535) {
            hosts.management.port = UInt16(port)
        }
        if let host = values.text("apns-broadcast-host") {
            hosts.publishing.host = host
            hosts.alternative = nil
        }
        for host in [hosts.management.host, hosts.publishing.host] {
            _ = try APNsOptions(values).trustedCA(for: host)
        }
        return hosts
    }

    /// Returns Apple's hosts if APNs is Apple's; otherwise the APNs host serves channels too.
    private static func ownHosts(_ apns: APNsClient.Configuration) -> BroadcastHosts {
        var hosts: BroadcastHosts
        switch PushEnvironment(apnsHost: apns.host) {
        case .sandbox: hosts = .sandbox
        case .production: hosts = .production
        case nil:
            let place = BroadcastHosts.Address(host: apns.host, port: apns.port)
            hosts = BroadcastHosts(management: place, publishing: place)
        }
        hosts.publishing.port = apns.port
        hosts.alternative?.port = apns.port
        return hosts
    }

    var orphans: ChannelSweep.Orphans {
        values.isOn("delete-orphan-channels") ? .delete : .keep
    }
}
