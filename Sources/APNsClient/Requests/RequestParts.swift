internal import HTTP2

/// A request to APNs without the provider token: the common source of its wire form, its text and
/// its curl command.
package struct RequestParts: Sendable {
    /// The end of a path that must stay hidden by default.
    struct Secret: Sendable {
        /// The shell variable that replaces it.
        let variable: String
        let value: String
    }

    let method: String
    /// The path without its secret.
    let openPath: String
    /// The secret that follows the path.
    let secret: Secret?
    /// The headers without `authorization`.
    let headers: [HTTP2Header]
    let body: [UInt8]

    init(
        method: String, path: String, secret: Secret? = nil, headers: [HTTP2Header], body: [UInt8]
    ) {
        self.method = method
        openPath = path
        self.secret = secret
        self.headers = headers
        self.body = body
    }

    var path: String { openPath + (secret?.value ?? "") }

    func write(to head: inout HTTP2RequestHead, with providerToken: ProviderToken) {
        head.begin(method, path: path)
        for header in headers { head.add(header) }
        head.add(.authorization, providerToken.authorization)
    }
}

extension PushRequest {
    /// The parts for display; the wire has a faster path.
    package var parts: RequestParts {
        RequestParts(
            method: "POST", path: "/3/device/",
            secret: RequestParts.Secret(variable: "ACTIVITY_PUSH_TOKEN", value: token.hex),
            headers: plainHeaders, body: payload)
    }
}
