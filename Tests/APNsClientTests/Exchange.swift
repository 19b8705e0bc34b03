internal import APNsClient
internal import HTTP2
internal import HTTP2Server

/// A request with its completion, called exactly once.
struct Exchange: Sendable {
    let request: HTTP2Request
    /// Called on the loop's thread.
    let completion: @Sendable (Result<HTTP2Response, HTTP2Failure>) -> Void

    init(
        request: HTTP2Request,
        completion: @escaping @Sendable (Result<HTTP2Response, HTTP2Failure>) -> Void
    ) {
        self.request = request
        self.completion = completion
    }
}

/// Single requests as a batch.
final class ExchangeBatch: HTTP2Batch {
    private let exchanges: [Exchange]

    init(_ exchanges: [Exchange]) {
        self.exchanges = exchanges
    }

    var count: Int { exchanges.count }

    func write(_ index: Int, to head: inout HTTP2RequestHead) {
        let request = exchanges[index].request
        head.begin(request.method, path: request.path)
        for header in request.headers { head.add(header) }
    }

    func bodyCount(of index: Int) -> Int { exchanges[index].request.body.count }

    func copyBody(
        of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer
    ) {
        room.copyBytes(from: exchanges[index].request.body[offset..<offset + room.count])
    }

    func completed(_ index: Int, with answer: HTTP2Response) {
        exchanges[index].completion(.success(answer))
    }

    func failed(_ index: Int, as failure: HTTP2Failure) {
        exchanges[index].completion(.failure(failure))
    }
}

extension PushTransport {
    /// Sends single requests.
    func send(_ exchanges: [Exchange]) { send(ExchangeBatch(exchanges)) }
}

extension ProviderRequest {
    /// The fields as they are written, without pseudo-headers.
    func writtenHeaders(providerToken: ProviderToken) -> [HTTP2Header] {
        var head = HTTP2RequestHead(authority: "")
        write(to: &head, with: providerToken)
        return head.headers
    }

    /// The request as a server receives it.
    func http2Request(providerToken: ProviderToken) -> HTTP2Request {
        var head = HTTP2RequestHead(authority: "")
        write(to: &head, with: providerToken)
        return HTTP2Request(head, body: body)
    }
}
