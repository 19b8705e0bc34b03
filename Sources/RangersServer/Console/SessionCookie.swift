internal import HTTPServer
internal import Secrets

/// The cookie of a session: only the browser reads it, never a script.
struct SessionCookie: Sendable {
    private let name: String
    private let attributes: String

    init(_ publicURL: PublicURL?) {
        let isSecure = publicURL?.isSecure == true
        let path = publicURL?.path ?? "/"
        // Browsers take `__Host-` from this host alone, for all of it; `__Secure-` also from other
        // hosts of the domain, but not over plain HTTP.
        name = !isSecure ? "rangers" : path == "/" ? "__Host-rangers" : "__Secure-rangers"
        attributes = (isSecure ? "; Secure" : "") + "; HttpOnly; SameSite=Strict; Path=\(path)"
    }

    /// Returns the secret that the browser sends, if it sends one.
    func secret(in request: Request) throws(Problem) -> Secret? {
        guard let header = request.headers["cookie"] else { return nil }
        // Repeated headers are joined with commas, which no value of ours has.
        let values = header.split { $0 == ";" || $0 == "," }.compactMap { pair -> Substring? in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(name + "=") else { return nil }
            return pair.dropFirst(name.count + 1)
        }
        guard values.count <= 1 else {
            throw .badRequest("There is more than one cookie \(name): sign out and in again.")
        }
        return values.first.map { Secret(String($0)) }
    }

    func header(_ secret: Secret) -> Response.Header {
        Response.Header(
            "set-cookie",
            "\(name)=\(secret.revealed)\(attributes); Max-Age=\(Sessions.hoursMax * 3600)")
    }

    /// Removes it from the browser.
    var removal: Response.Header {
        Response.Header("set-cookie", "\(name)=\(attributes); Max-Age=0")
    }
}
