internal import HTTP2
internal import HTTP2Server

/// A parsed channel request, not yet checked.
struct ChannelRequest {
    /// The operation, with its method.
    enum Operation: Hashable {
        case create, read, delete, list, publish
    }

    /// The paths of channels.
    private enum Place: Hashable {
        case channels, allChannels, broadcasts
    }

    let operation: Operation
    let bundleID: String
    let requestID: String?
    let channelID: String?
    let pushType: String?
    let priority: String?
    let expiration: String?
    let topic: String?
    let body: [UInt8]

    /// The requests that a port accepts. Apple has separate hosts for management.
    enum Port: Hashable, Sendable {
        /// All paths on one port.
        case everything
        /// Pushes and broadcasts.
        case sending
        /// Channel management only.
        case management
    }

    /// Returns whether the path is not a device's.
    static func handles(_ path: String) -> Bool { !path.utf8.starts(with: "/3/".utf8) }

    init(_ request: HTTP2Request, at port: Port) throws(Refusal) {
        var headers: [String: String] = [:]
        var hasDuplicates = false
        for header in request.headers where header.name.utf8.starts(with: "apns-".utf8) {
            if headers.updateValue(header.value, forKey: header.name) != nil {
                hasDuplicates = true
            }
        }
        let (place, bundleID) = try Self.place(request.path, at: port)
        operation = try Self.operation(request.method, place)
        guard !hasDuplicates, !request.path.utf8.contains(UInt8(ascii: "?")) else {
            throw Refusal(.badRequestParams)
        }
        self.bundleID = bundleID
        requestID = headers["apns-request-id"]
        channelID = headers["apns-channel-id"]
        pushType = headers["apns-push-type"]
        priority = headers["apns-priority"]
        expiration = headers["apns-expiration"]
        topic = headers["apns-topic"]
        body = request.body
    }

    private static func place(
        _ path: String, at port: Port
    ) throws(Refusal) -> (Place, bundleID: String) {
        let withoutQuery = path.prefix { $0 != "?" }
        let parts = withoutQuery.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, !parts[4].isEmpty, !parts[3].isEmpty else {
            throw Refusal(.badPath)
        }
        switch (parts[1], parts[2], parts[3], parts[4]) {
        case ("1", "apps", let bundle, "channels") where port != .sending:
            return (.channels, String(bundle))
        case ("1", "apps", let bundle, "all-channels") where port != .sending:
            return (.allChannels, String(bundle))
        case ("4", "broadcasts", "apps", let bundle) where port != .management:
            return (.broadcasts, String(bundle))
        default:
            throw Refusal(.badPath)
        }
    }

    private static func operation(_ method: String, _ place: Place) throws(Refusal) -> Operation {
        switch (place, method) {
        case (.channels, "POST"): .create
        case (.channels, "GET"): .read
        case (.channels, "DELETE"): .delete
        case (.allChannels, "GET"): .list
        case (.broadcasts, "POST"): .publish
        default: throw Refusal(.methodNotAllowed)
        }
    }
}
