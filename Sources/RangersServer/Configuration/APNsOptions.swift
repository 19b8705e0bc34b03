package import APNsClient
package import OptionParsing

/// The options for reaching and authenticating with APNs, shared by all commands that use it.
package struct APNsOptions {
    package static let provider = [
        Option(
            "apns-proxy", "URL",
            "An HTTP proxy to APNs: http://[NAME:PASSWORD@]HOST:PORT",
            visibility: .secret),
        Option("apns-ca", "FILE", "Trusted root certificates in PEM, instead of the system's"),
        Option("apns-key", "FILE.p8", "The APNs authentication key from Apple"),
        Option("apns-key-id", "ID", "The key ID, ten characters"),
        Option("apns-team-id", "ID", "The team ID, ten characters"),
    ]

    package static let bundleID = Option(
        "bundle-id", "ID", "The app's bundle ID, without a suffix")

    private let values: OptionValues

    package init(_ values: OptionValues) { self.values = values }

    /// Returns the proxy; `nil` if none is set or the variable is empty.
    package func proxy() throws(OptionsError) -> APNsProxy? {
        guard let address = values.text("apns-proxy"), !address.isEmpty else { return nil }
        do {
            return try APNsProxy(address)
        } catch {
            throw values.invalid("apns-proxy", expected: "http://[NAME:PASSWORD@]HOST:PORT")
        }
    }

    /// Returns the provider key that these two options name, with the team's id.
    package func providerKey(
        file: String = "apns-key", id: String = "apns-key-id"
    ) throws(OptionsError) -> ProviderTokens.Key {
        try values.requireAll([file, id, "apns-team-id"])
        let path = try values.required(file)
        let pem: PrivateKeyPEM
        do {
            pem = try PrivateKeyPEM(file: path)
        } catch {
            throw values.invalid(file, expected: "a usable key file: \(error)")
        }
        return ProviderTokens.Key(
            id: try values.required(id), teamID: try values.required("apns-team-id"), pem: pem)
    }

    /// Returns the file of trusted root certificates; `nil`: the system's. Apple's hosts are verified
    /// by the system's only (PR16).
    package func trustedCA(for host: String) throws(OptionsError) -> String? {
        guard let file = values.text("apns-ca") else { return nil }
        guard !Self.isApple(host) else {
            throw values.invalid(
                "apns-ca",
                expected: "omitted for \(host): the system's certificates verify Apple's hosts")
        }
        return file
    }

    private static func isApple(_ host: String) -> Bool {
        var host = host.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        return host == "apple.com" || host.hasSuffix(".apple.com")
    }

    package func bundleID() throws(OptionsError) -> String {
        let id = try values.required("bundle-id")
        guard BundleID.isWellFormed(id) else {
            throw values.invalid(
                "bundle-id",
                expected: "the app's bundle ID without a push type's suffix, such as "
                    + "com.example.rangers: letters, digits, dots and dashes")
        }
        return id
    }
}
