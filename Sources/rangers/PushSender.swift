internal import APNsClient
internal import Foundation
internal import RangersServer

/// Which APNs `rangers push` talks to, and as whom.
struct PushSender {
    private let host: String
    private let port: UInt16
    private let caFile: String?
    private let secrets: CurlTwin.Secrets
    /// `nil` when no key was given, which is enough to show a push.
    private let identity: Identity?

    private struct Identity {
        let keyID: String
        let teamID: String
        let key: PrivateKeyPEM
    }

    init(_ values: OptionValues) throws(OptionsError) {
        host = try values.required("apns-host")
        port = UInt16(try values.integer("apns-port", in: 1...65_535) ?? 443)
        caFile = values.text("apns-ca")
        secrets = values.isOn("show-secrets") ? .shown : .asVariables
        let needsKey = !values.isOn("dry-run") || values.isOn("print-provider-token")
        guard needsKey || values.text("apns-key") != nil else {
            identity = nil
            return
        }
        identity = Identity(
            keyID: try values.required("apns-key-id"), teamID: try values.required("apns-team-id"),
            key: try Self.key(values))
    }

    private static func key(_ values: OptionValues) throws(OptionsError) -> PrivateKeyPEM {
        let file = try values.required("apns-key")
        do {
            return try PrivateKeyPEM(file: file)
        } catch {
            throw values.invalid("apns-key", expected: "a usable key file: \(error)")
        }
    }

    /// A token that was signed just now.
    func providerToken() throws -> ProviderToken {
        guard let identity else { throw APNsConfigurationError.unusable("there is no --apns-key") }
        return try ProviderToken(
            keyID: identity.keyID, teamID: identity.teamID,
            issuedAt: Int64(Date().timeIntervalSince1970), key: ES256PrivateKey(identity.key))
    }

    /// The request as it would go over the wire, and the curl command that would send it.
    func show(_ request: PushRequest) throws -> String {
        let token = identity == nil ? nil : try providerToken()
        let twin = CurlTwin(host: host, port: port, trustedCAFile: caFile)
        let text = RequestText(twin).text(of: request, providerToken: token, secrets: secrets)
        let command = twin.command(for: request, providerToken: token, secrets: secrets)
        return "\(text)\n\n\(command)"
    }

    /// Sends over a connection of its own.
    func send(_ request: PushRequest) async throws -> APNsClient.Outcome {
        guard let identity else { throw APNsConfigurationError.unusable("there is no --apns-key") }
        var configuration = APNsClient.Configuration(
            host: host, keyID: identity.keyID, teamID: identity.teamID,
            privateKeyPEM: identity.key)
        configuration.port = port
        configuration.trustedCAFile = caFile
        configuration.connections = 1
        let client = try APNsClient(configuration)
        let outcome = await client.send(request)
        await client.shutdown(graceMilliseconds: 1_000)
        return outcome
    }
}
