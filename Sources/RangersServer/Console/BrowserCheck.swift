internal import HTTPServer

/// What a browser must show before its cookie counts: that the request comes from our own page, and
/// was meant for us.
struct BrowserCheck: Sendable {
    /// `nil`: browsers use the loopback address on which the server listens.
    let publicURL: PublicURL?

    /// Refuses a request with a cookie that another site may have caused.
    ///
    /// A GET changes nothing, so it needs only our `Host`: under another name a foreign page would
    /// be the same site (DNS rebinding).
    func requireOwnPage(_ request: Request) throws(Problem) {
        try requireOwnHost(request)
        guard request.method != .get else { return }
        try requireJSON(request)
        guard let site = request.headers["sec-fetch-site"] else {
            guard let origin = request.headers["origin"], isOwn(origin, request) else {
                throw Self.foreign
            }
            return
        }
        guard site == "same-origin" else { throw Self.foreign }
    }

    /// Refuses to sign somebody in for another site. A client without a page sends neither header.
    func requireNoForeignPage(_ request: Request) throws(Problem) {
        try requireOwnHost(request)
        try requireJSON(request)
        if let site = request.headers["sec-fetch-site"] {
            guard site == "same-origin" else { throw Self.foreign }
        } else if let origin = request.headers["origin"] {
            guard isOwn(origin, request) else { throw Self.foreign }
        }
    }

    private static let foreign = Problem.forbidden(
        "A browser sent this request for another site's page; only the console's own pages may.")

    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        if origin == publicURL?.origin { return true }
        guard let host = request.headers["host"], PublicURL.isLoopback(host) else { return false }
        return origin == "http://\(host)"
    }

    private func requireOwnHost(_ request: Request) throws(Problem) {
        let host = request.headers["host"]?.lowercased() ?? ""
        if publicURL?.isNamed(by: host) == true { return }
        guard PublicURL.isLoopback(host) else {
            throw .forbidden(
                "The console is not served under this name: start the server with --public-url and "
                    + "the URL that browsers use.")
        }
    }

    /// A form of another site cannot send this media type.
    private func requireJSON(_ request: Request) throws(Problem) {
        let type = request.headers["content-type"]?.prefix { $0 != ";" && $0 != " " }
        guard type?.lowercased() == "application/json" else {
            throw .badRequest("Send the header \"Content-Type: application/json\".")
        }
    }
}
