internal import HTTP2

/// A request to APNs but for the provider token: what its wire form, its text and its curl command
/// have in common.
package struct RequestParts: Sendable {
    /// The end of a path that must not be shown unasked.
    struct Secret: Sendable {
        /// The shell variable that stands for it.
        let variable: String
        let value: String
    }

    let method: String
    /// The path as anybody may see it.
    let openPath: String
    /// What follows it.
    let secret: Secret?
    /// Without `authorization`.
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

    func write(to head: inout RequestHead, with providerToken: ProviderToken) {
        head.begin(method, path: path)
        for header in headers { head.add(header) }
        head.add(.authorization, providerToken.authorization)
    }
}

extension PushRequest {
    /// For a person to read; the wire has a faster way.
    package var parts: RequestParts {
        RequestParts(
            method: "POST", path: "/3/device/",
            secret: RequestParts.Secret(variable: "ACTIVITY_PUSH_TOKEN", value: token.hex),
            headers: plainHeaders, body: payload)
    }
}
