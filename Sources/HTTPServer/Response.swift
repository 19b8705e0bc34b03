/// An answer: status, headers, body.
package struct Response: Sendable {
    package var status: Int
    package var headers: [Header]
    package var body: [UInt8]

    package struct Header: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package static func json(_ body: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: [Header("content-type", "application/json")], body: body)
    }

    package static func text(_ text: String, status: Int = 200) -> Response {
        Response(
            status: status, headers: [Header("content-type", "text/plain; charset=utf-8")],
            body: Array(text.utf8))
    }

    package static let noContent = Response(status: 204)
}
