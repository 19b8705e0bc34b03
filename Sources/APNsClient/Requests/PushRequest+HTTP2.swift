package import HTTP2

extension PushRequest {
    /// The path of a push to one device.
    package var path: String { "/3/device/\(token.hex)" }

    /// The header fields but for `authorization`, in Apple's order.
    package var plainHeaders: [HTTP2Header] {
        var headers = [
            HTTP2Header("apns-push-type", pushType.rawValue),
            HTTP2Header("apns-topic", topic),
            HTTP2Header("apns-priority", String(priority.rawValue)),
            // These change with every push: in the table they would push the others out.
            HTTP2Header("apns-id", id, indexing: .never),
        ]
        if let expiration {
            headers.append(HTTP2Header("apns-expiration", String(expiration), indexing: .never))
        }
        if let collapseID {
            headers.append(HTTP2Header("apns-collapse-id", collapseID, indexing: .never))
        }
        return headers
    }

    /// The request as it goes over the wire.
    package func http2Request(providerToken: ProviderToken) -> HTTP2Request {
        var headers = plainHeaders
        headers.append(
            HTTP2Header("authorization", providerToken.authorization, indexing: .never))
        return HTTP2Request(method: "POST", path: path, headers: headers, body: payload)
    }
}
