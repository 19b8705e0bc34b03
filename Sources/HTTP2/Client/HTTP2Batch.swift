/// Requests that are handed in together, and who hears of each one's end.
///
/// Nothing is made per request: the head is written where nghttp2 reads it, when the request gets
/// its stream, and the answer is read where it arrived. All calls but the failures after the end
/// of the pool come on the loop's thread; they must not block.
package protocol HTTP2Batch: AnyObject, Sendable {
    /// How many requests there are; they are known by their index.
    var count: Int { get }
    /// Writes a request's head: once for each time that it is tried.
    func write(_ index: Int, to head: inout RequestHead)
    /// How many bytes a request's body has.
    func bodyCount(of index: Int) -> Int
    /// Copies a part of a request's body to where nghttp2 wants it, once for each DATA frame: the
    /// bytes from an offset on, as many as there is room for, which are never too many.
    func copyBody(of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer)
    /// The answer came. Called at most once a request, and then `failed` is not.
    func answered(_ index: Int, with answer: HTTP2Answer)
    /// It ended without an answer.
    func failed(_ index: Int, as failure: HTTP2Failure)
}

/// Single requests as a batch: for whoever sends few.
package final class ExchangeBatch: HTTP2Batch {
    private let exchanges: [HTTP2Exchange]

    package init(_ exchanges: [HTTP2Exchange]) {
        self.exchanges = exchanges
    }

    package var count: Int { exchanges.count }

    package func write(_ index: Int, to head: inout RequestHead) {
        let request = exchanges[index].request
        head.begin(request.method, path: request.path)
        for header in request.headers { head.add(header) }
    }

    package func bodyCount(of index: Int) -> Int { exchanges[index].request.body.count }

    package func copyBody(
        of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer
    ) {
        room.copyBytes(from: exchanges[index].request.body[offset..<offset + room.count])
    }

    package func answered(_ index: Int, with answer: HTTP2Answer) {
        exchanges[index].completion(.success(HTTP2Response(answer)))
    }

    package func failed(_ index: Int, as failure: HTTP2Failure) {
        exchanges[index].completion(.failure(failure))
    }
}
