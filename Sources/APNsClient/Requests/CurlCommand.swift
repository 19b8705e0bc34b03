internal import HTTP2

/// The curl command of a request to APNs: a push, a broadcast or a channel management request.
///
/// ```
/// curl --http2 \
///   --header 'apns-topic: com.example.apple-samplecode.Emoji-Rangers.push-type.liveactivity' \
///   …
///   --header "authorization: bearer $AUTHENTICATION_TOKEN" \
///   --data-raw '{"aps":{…}}' \
///   "https://api.sandbox.push.apple.com:443/3/device/$ACTIVITY_PUSH_TOKEN"
/// ```
public struct CurlCommand: Sendable {
    /// Whether secrets are printed.
    public enum Secrets: Hashable, Sendable {
        /// As the shell variables `$AUTHENTICATION_TOKEN` and `$ACTIVITY_PUSH_TOKEN`.
        case asVariables
        /// As they are, for a terminal, never for a log.
        case shown
    }

    /// The host that the command sends to.
    public let host: String
    /// The port there.
    public let port: UInt16
    /// A PEM file of trusted roots; `nil`: curl's default.
    public let trustedCAFile: String?

    /// Creates commands for one host.
    public init(host: String, port: UInt16 = 443, trustedCAFile: String? = nil) {
        self.host = host
        self.port = port
        self.trustedCAFile = trustedCAFile
    }

    /// Returns the command of a push, for a POSIX shell.
    ///
    /// - Parameters:
    ///   - request: The push.
    ///   - providerToken: The token to show; `nil`: the variable.
    ///   - secrets: Whether to print the device's and the provider's tokens.
    /// - Returns: The command, over several lines.
    public func command(
        for request: PushRequest, providerToken: ProviderToken? = nil,
        secrets: Secrets = .asVariables
    ) -> String {
        command(for: request.parts, providerToken, secrets)
    }

    /// Returns the command of a broadcast; the host must take broadcasts.
    public func command(
        for request: BroadcastRequest, providerToken: ProviderToken? = nil,
        secrets: Secrets = .asVariables
    ) -> String {
        command(for: request.parts, providerToken, secrets)
    }

    /// Returns the command of a channel management request; the host must be the management host.
    public func command(
        for order: ChannelOrder, providerToken: ProviderToken? = nil,
        secrets: Secrets = .asVariables
    ) -> String {
        command(for: order.parts, providerToken, secrets)
    }

    /// Returns the command of any request.
    package func command(
        for parts: RequestParts, _ providerToken: ProviderToken?, _ secrets: Secrets
    ) -> String {
        var lines = ["curl --http2"]
        if let trustedCAFile { lines.append("--cacert \(Self.quoted(trustedCAFile))") }
        for header in parts.headers {
            lines.append("--header \(Self.quoted("\(header.name): \(header.value)"))")
        }
        if !parts.body.isEmpty { lines.append("--header 'content-type: application/json'") }
        lines.append("--header \(authorization(providerToken, secrets))")
        // By default curl sends a body by POST, and GET without one.
        if parts.method != (parts.body.isEmpty ? "GET" : "POST") {
            lines.append("--request \(parts.method)")
        }
        // APNs reports most in status and headers; a success often has no body.
        if parts.method != "GET" { lines.append("--include") }
        if !parts.body.isEmpty {
            lines.append("--data-raw \(Self.quoted(String(decoding: parts.body, as: UTF8.self)))")
        }
        lines.append(address(parts, secrets))
        return lines.joined(separator: " \\\n  ")
    }

    private func authorization(_ token: ProviderToken?, _ secrets: Secrets) -> String {
        switch (secrets, token) {
        case (.shown, let token?): Self.quoted("authorization: \(token.authorization)")
        case (.shown, nil), (.asVariables, _): "\"authorization: bearer $AUTHENTICATION_TOKEN\""
        }
    }

    private func address(_ parts: RequestParts, _ secrets: Secrets) -> String {
        let origin = "https://\(host):\(port)"
        switch (secrets, parts.secret) {
        case (.shown, _), (.asVariables, nil): return Self.quoted(origin + parts.path)
        case (.asVariables, let secret?):
            return Self.quoted(origin + parts.openPath) + "\"$\(secret.variable)\""
        }
    }

    /// Quotes any text as one word of a POSIX shell.
    package static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
