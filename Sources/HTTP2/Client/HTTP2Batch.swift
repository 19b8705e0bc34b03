/// Requests submitted together, with the receiver of their outcomes.
///
/// It allocates nothing per request: the head is written where nghttp2 reads it, when the request
/// gets its stream, and the response is read where it arrived. All calls except the failures after
/// the pool's end come on the loop's thread; they must not block.
package protocol HTTP2Batch: AnyObject, Sendable {
    /// The number of requests, identified by index.
    var count: Int { get }
    /// Writes a request's head, once for each attempt.
    func write(_ index: Int, to head: inout HTTP2RequestHead)
    /// Returns the size of a request's body in bytes.
    func bodyCount(of index: Int) -> Int
    /// Copies a part of a request's body into nghttp2's buffer, once for each DATA frame: the bytes
    /// from an offset on, exactly as many as fit into `room`.
    func copyBody(of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer)
    /// Reports a response. Called at most once for each request, and never with `failed`.
    func completed(_ index: Int, with response: HTTP2Response)
    /// Reports a request that ended without a response.
    func failed(_ index: Int, as failure: HTTP2Failure)
}
