internal import ConsolePages
internal import HTTPServer
internal import Secrets

/// Serves the pages of the console and of the browser phone. They are files without data: what they
/// show comes from the API, to which they sign in.
///
/// A file's path in the sources is its URL, so `../style/tokens.css` leads from each page to the
/// same file, also where a proxy serves all of it at a path of its own.
struct Pages: Sendable {
    /// The files that a listener has besides those that pages share.
    enum Audience: CaseIterable, Sendable {
        case gameMasters, players, everybody
    }

    /// The route of all pages in metrics.
    static let template = "pages"

    /// Headers of every file.
    static let headers = [
        Response.Header(
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                + "connect-src 'self'; form-action 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; "
                + "trusted-types 'none'"),
        .init("referrer-policy", "no-referrer"),
        .init("cross-origin-opener-policy", "same-origin"),
        .init("cross-origin-resource-policy", "same-origin"),
        .init("permissions-policy", "camera=(), microphone=(), geolocation=()"),
        .init("x-content-type-options", "nosniff"),
    ]

    fileprivate struct Page: Sendable {
        let response: PreparedResponse
        let tag: String
    }

    private let pages: [String: Page]
    /// All files, made once a process.
    private static let files = ConsolePages.files.map { (path: $0.path, page: Page($0)) }

    init(for audience: Audience) {
        var pages: [String: Page] = [:]
        for (path, page) in Self.files where audience.sees(path) {
            pages["/" + path] = page
            let index = "/index.html"
            guard path.hasSuffix(index) else { continue }
            // "/console/" is the page; "/console" leads there, relative to where it is served.
            let folder = String(path.dropLast(index.count))
            pages["/\(folder)/"] = page
            pages["/\(folder)"] = Page(redirectingTo: "\(folder)/")
        }
        self.pages = pages
    }

    /// Returns the response to a request of a path without a route; `nil`: there is no page either.
    func response(to request: Request) -> Response? {
        guard let page = pages[request.path] else { return nil }
        guard request.method == .get else {
            return Problem.methodNotAllowed([.get]).response
        }
        let response = Response(page.response)
        guard response.status == 200, var wanted = request.headers["if-none-match"] else {
            return response
        }
        let isKnown = wanted.withUTF8 {
            EntityTag.matches(UnsafeRawBufferPointer($0), page.tag)
        }
        return isKnown ? .notModified(response) : response
    }
}

extension Pages.Page {
    init(_ file: ConsolePages.File) {
        tag = "\"\(Digest.hex(Digest.sha256(file.text.utf8)))\""
        let own = [
            Response.Header("content-type", Self.mediaType(of: file.path)),
            .init("etag", tag), .init("cache-control", "no-cache"),
        ]
        response = PreparedResponse(
            Response(status: 200, headers: own + Pages.headers, body: Array(file.text.utf8)))
    }

    init(redirectingTo place: String) {
        tag = ""
        response = PreparedResponse(
            Response(status: 308, headers: [.init("location", place)] + Pages.headers))
    }

    private static func mediaType(of path: String) -> String {
        let type = path.split(separator: ".").last.flatMap { mediaTypes[String($0)] }
        guard let type else { preconditionFailure("no media type is known for \(path)") }
        return type
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json",
        "svg": "image/svg+xml",
    ]
}

extension Pages.Audience {
    /// Whether a listener serves the file to them.
    fileprivate func sees(_ path: String) -> Bool {
        switch self {
        case .everybody: true
        case .gameMasters: !path.hasPrefix("play/")
        case .players: !path.hasPrefix("console/") && !path.hasPrefix("pages/")
        }
    }
}
