/// A request of a bench.
struct PreparedRequest: Hashable, Sendable {
    let method: String
    let path: String
    let token: String
    let body: String?

    init(_ method: String, _ path: String, _ token: String, _ body: String? = nil) {
        self.method = method
        self.path = path
        self.token = token
        self.body = body
    }

    /// The line for `requests.lua`.
    var line: String { "\(method)\t\(path)\t\(token)\t\(body ?? "-")" }
}
