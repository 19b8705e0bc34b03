/// Who has sent a request over its connection.
package enum RequestOrigin: Hashable, Sendable {
    /// A client, or a proxy that is not trusted.
    case client
    /// A trusted proxy: what it says of its client, and of the request, counts.
    case proxy
}
