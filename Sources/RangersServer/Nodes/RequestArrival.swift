internal import HTTPServer

/// How a request came to this node.
enum RequestArrival: Hashable, Sendable {
    /// From a client, without a proxy.
    case direct
    /// From a client, through a trusted proxy.
    case proxied
    /// Through the proxy a second time: another node has counted it, has not what it concerns, and
    /// has named this one.
    case redirected

    /// What the proxy sets where it plays a request again, and clears wherever clients reach it.
    private static let header: StaticString = "rangers-redirected"
    private static let headerName = "\(header)"

    /// Whether the header counts: a server that has its game for itself sends no request on.
    init(of request: Request, at map: ShardMap) {
        self = request.sender == .proxy ? .proxied : .direct
        guard self == .proxied, map.isShared, request.headers[Self.headerName] == "1" else {
            return
        }
        self = .redirected
    }

    init(of head: borrowing RequestHead, at map: ShardMap) {
        self = head.sender == .proxy ? .proxied : .direct
        guard self == .proxied, map.isShared, case .one(let value) = head.header(Self.header),
            value.elementsEqual("1".utf8)
        else { return }
        self = .redirected
    }
}
