/// Who has sent a request over its connection.
package enum RequestOrigin: Hashable, Sendable {
    /// A client, or whoever claims to speak for one.
    case client
    /// A trusted proxy: what it says of its client, and of the request, counts.
    case proxy
}
