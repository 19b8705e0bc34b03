package import HTTP2
package import HTTP2Server

/// A request's values, before any checks.
package struct PushFacts: Sendable {
    package let method: String
    package let path: String
    /// The end of `/3/device/…`, or `nil` for another path.
    package let token: String?
    /// The headers without `authorization`.
    package private(set) var headers: [HTTP2Header] = []
    package private(set) var apnsID: String?
    package private(set) var topic: String?
    package private(set) var pushType: String?
    package private(set) var priority: String?
    package private(set) var expiration: String?
    package private(set) var collapseID: String?
    package let payload: [UInt8]
    private(set) var authorization: String?
    private(set) var hasDuplicates = false

    package init(_ request: HTTP2Request) {
        method = request.method
        let path = request.path
        self.path = path
        // By bytes: counting characters would cost more than everything else.
        token =
            path.hasPrefix(Self.devicePath)
            ? String(path.utf8.dropFirst(Self.devicePath.utf8.count)) : nil
        payload = request.body
        let received = request.headers
        headers.reserveCapacity(received.count)
        for header in received {
            take(header)
            if header.name != "authorization" { headers.append(header) }
        }
    }

    private static let devicePath = "/3/device/"

    private mutating func take(_ header: HTTP2Header) {
        switch header.name {
        case "apns-id": Self.set(&apnsID, header, &hasDuplicates)
        case "apns-topic": Self.set(&topic, header, &hasDuplicates)
        case "apns-push-type": Self.set(&pushType, header, &hasDuplicates)
        case "apns-priority": Self.set(&priority, header, &hasDuplicates)
        case "apns-expiration": Self.set(&expiration, header, &hasDuplicates)
        case "apns-collapse-id": Self.set(&collapseID, header, &hasDuplicates)
        case "authorization": Self.set(&authorization, header, &hasDuplicates)
        default: break
        }
    }

    private static func set(
        _ field: inout String?, _ header: HTTP2Header, _ hasDuplicates: inout Bool
    ) {
        if field != nil { hasDuplicates = true }
        field = header.value
    }
}
