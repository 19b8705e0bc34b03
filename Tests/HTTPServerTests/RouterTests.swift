import HTTPServer
import Testing

@Suite struct RouterTests {
    private typealias TestRoute = Route<String, Void>

    private let router = Router([
        route(.get, "/"), route(.get, "/v1/parties/{party}"), route(.delete, "/v1/parties/{party}"),
        route(.post, "/v1/parties/join"), route(.get, "/v1/{kind}/list/{page}"),
        route(.get, "/v1/parties/{party}/{part}"), route(.post, "/v1/parties"),
    ])

    /// A route whose access is its own template, so that a match can be told.
    private static func route(_ method: Method, _ template: String) -> TestRoute {
        TestRoute(method, template, template) { _, _ in .noContent }
    }

    /// "template name=value …", "405 allowed …" or "404".
    private func match(_ method: Method, _ path: String) -> String {
        switch router.match(Request(method: method, path: path)) {
        case .found(let route, let request):
            let values = request.parameters.sorted { $0.key < $1.key }
            return ([route.access] + values.map { "\($0)=\($1)" }).joined(separator: " ")
        case .methodNotAllowed(let allowed):
            return "405 " + allowed.map(\.rawValue).joined(separator: " ")
        case .notFound:
            return "404"
        }
    }

    @Test(
        "a path leads to its route, with its parameters decoded once",
        arguments: [
            ("/", "/"), ("/v1/parties/p1", "/v1/parties/{party} party=p1"),
            ("/v1/parties/a%2Fb", "/v1/parties/{party} party=a/b"),
            ("/v1/parties/a%252Fb", "/v1/parties/{party} party=a%2Fb"),
            ("/v1/parties/a+b", "/v1/parties/{party} party=a+b"),
            ("/v1/parties/%E2%9A%94", "/v1/parties/{party} party=⚔"),
            ("/v1/p%61rties/x", "/v1/parties/{party} party=x"),
            ("/v1/parties/..", "/v1/parties/{party} party=.."),
            ("/v1/heroes/list/2", "/v1/{kind}/list/{page} kind=heroes page=2"),
        ])
    func found(_ path: String, _ expected: String) {
        #expect(match(.get, path) == expected)
    }

    @Test(
        "an unknown path is not found",
        arguments: [
            "", "v1/parties", "/v1/parties/", "//", "/v1//p1", "/v1/parties/p1/",
            "/v1/parties/p1/x/y", "/V1/parties/p1", "/v1/parties%2Fp1", "/v1/parties/%00",
            "/v1/parties/a%00", "/v1/parties/%ff", "/v1/parties/%2", "/v1/parties/%zz",
        ])
    func notFound(_ path: String) {
        #expect(match(.get, path) == "404")
    }

    @Test("an exact segment wins over a parameter, further left first")
    func preference() {
        #expect(match(.post, "/v1/parties/join") == "/v1/parties/join")
        #expect(
            match(.get, "/v1/parties/list/2")
                == "/v1/parties/{party}/{part} part=2 party=list")
    }

    @Test("a path that exists refuses other methods and names its own")
    func methodNotAllowed() {
        #expect(match(.put, "/v1/parties/p1") == "405 GET DELETE")
        #expect(match(.get, "/v1/parties") == "405 POST")
    }

    @Test("an exact path's methods are its own, whatever a parameter would take")
    func exactMethods() {
        #expect(match(.get, "/v1/parties/join") == "405 POST")
    }

    @Test("405 names what is allowed, HEAD with GET")
    func allow() {
        let response = Problem.methodNotAllowed([.get, .delete]).response
        #expect(response.headers.contains(Response.Header("allow", "GET, HEAD, DELETE")))
    }

    @Test("a path is matched in place, with its parameters as they came")
    func inPlace() {
        Array("/v1/parties/a%2Fb/part".utf8).withUnsafeBytes { path in
            guard case .found(let index, let parameters) = router.match(.get, path) else {
                Issue.record("no route was found")
                return
            }
            #expect(router.routes[index].access == "/v1/parties/{party}/{part}")
            #expect((0..<parameters.count).map { parameters[$0] } == [12..<17, 18..<22])
        }
    }
}
