/// The methods that routes can have.
package enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
}

/// A request as a handler sees it: whole, bounded, decoded once.
package struct Request: Sendable {
    package let method: Method
    /// As it came, without the query: percent-encoded.
    package let path: String
    /// Names as they came, values decoded; a repeated name keeps the first value.
    package let query: [String: String]
    /// Names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
    /// The values of the route's `{…}` parts, decoded; filled in by the router.
    package internal(set) var parameters: [String: String] = [:]

    package init(
        method: Method, path: String, query: [String: String] = [:],
        headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }
}
