import HTTPServer
import Testing

/// A request that is made by hand reads like one that came.
@Suite struct RequestTests {
    private let request = Request(
        method: .get, path: "/a%2Fb",
        query: ["after": "1 + 1 = 2 & 50%", "empty": "", "hero": "⚔"],
        headers: ["authorization": "Bearer a", "host": "x"])

    @Test("a query's values are what they were", arguments: ["1 + 1 = 2 & 50%", "", "⚔ é", "%41+"])
    func query(_ value: String) {
        #expect(Request(method: .get, path: "/", query: ["a": value]).query["a"] == value)
    }

    @Test("what is not there is nil")
    func absent() {
        #expect(request.query["before"] == nil)
        #expect(request.headers["accept"] == nil)
        #expect(request.parameters["party"] == nil)
    }

    @Test("a query can be listed")
    func list() {
        let names = request.query.map(\.key).sorted()
        #expect(names == ["after", "empty", "hero"])
    }

    @Test("headers are found by their names in lower case")
    func headers() {
        #expect(request.headers["authorization"] == "Bearer a")
        #expect(request.headers["host"] == "x")
    }

    @Test("a path stays as it came")
    func path() {
        #expect(request.path == "/a%2Fb")
    }

    @Test("a request reads in place as it does in its copy")
    func head() {
        request.withHead { head in
            #expect((try? head.framing()) == .length(0))
            #expect(head.method == .get)
            #expect(head.path.text == "/a%2Fb")
            #expect(head.query.text.contains("hero=%E2%9A%94"))
            guard case .one(let value) = head.header("authorization") else {
                Issue.record("the header is not there")
                return
            }
            #expect(value.text == "Bearer a")
        }
    }
}
