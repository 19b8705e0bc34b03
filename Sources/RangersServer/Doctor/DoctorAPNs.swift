internal import APNsClient
internal import PushPolicy

/// The checks of the way to APNs, and of the key.
extension Doctor {
    /// A token of the right length that no device has.
    private static let nobody = DeviceToken(hex: String(repeating: "00", count: 32))

    func apnsFindings(
        _ configuration: ServerConfiguration, _ apns: APNsClient.Configuration, named name: String
    ) async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        // A proxy resolves the name itself.
        if apns.proxy == nil {
            let addresses = probes.resolve(apns.host)
            guard !addresses.isEmpty else {
                return [
                    DoctorFinding(
                        "dns", .problem, "\(apns.host) has no address",
                        action: "check /etc/resolv.conf and the name")
                ]
            }
            findings.append(
                DoctorFinding("dns", .ok, "\(apns.host) is \(addresses.joined(separator: ", "))"))
        }
        let outcome = await probes.send(apns, Self.push(configuration, at: probes.now().seconds))
        findings.append(Self.finding(outcome, apns, named: name))
        return findings
    }

    private static func push(
        _ configuration: ServerConfiguration, at seconds: Int64
    ) -> PushRequest {
        let payload =
            #"{"aps":{"timestamp":\#(seconds),"event":"update","#
            + #""content-state":{"currentHealthLevel":1,"eventDescription":"-"}}}"#
        return .liveActivity(
            Array(payload.utf8), to: nobody, bundleID: configuration.settings.bundleID,
            priority: .low, expiration: 0)
    }

    private static func finding(
        _ outcome: APNsClient.Outcome, _ apns: APNsClient.Configuration, named name: String
    ) -> DoctorFinding {
        let place = "\(apns.host):\(apns.port)"
        switch outcome {
        case .accepted:
            return DoctorFinding(name, .ok, "\(place) accepts the key")
        case .refused(let refusal) where refusal.action == .dropToken:
            return DoctorFinding(
                name, .ok, "\(place) accepts the key and rejects the unknown device, as expected")
        case .refused(let refusal):
            return DoctorFinding(
                name, .problem, "\(place) responds \(refusal.status) \(refusal.reason)",
                action: refusal.status == 403
                    ? "check --apns-key, its id, --apns-team-id, and the key's environment"
                    : "check --bundle-id; docs/reference/push-policy.md has Apple's reasons")
        case .notSent(let why), .heldBack(let why, _), .unknown(let why):
            return DoctorFinding(
                name, .problem, "\(place) cannot be reached: \(why)",
                action: apns.proxy == nil
                    ? "open port \(apns.port) of 17.0.0.0/8 in the firewall, or set --apns-proxy"
                    : "check --apns-proxy, and that the proxy may reach port \(apns.port) of "
                        + "17.0.0.0/8")
        }
    }
}
