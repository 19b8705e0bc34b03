import HTTPServer
import Testing

/// PR14: the checks in place see through every head, without a socket.
@Suite struct HeadFuzzTests {
    private static let samples = [
        "GET /v1/p/a?x=%20 HTTP/1.1\r\nhost: x\r\nAuthorization: B a\r\n\r\n",
        "POST /h HTTP/1.1\r\nhost: x\r\nContent-Length: 12\r\na: b \r\n\r\n",
        "PUT /x HTTP/1.0\r\nHost: x\r\ntransfer-encoding: chunked\r\n\r\n",
        "HEAD /%41?a=b&&a=c&d+e=+ HTTP/1.1\r\nhost: x\r\nexpect: c\r\nt: \r\n\r\n",
    ].map { Array($0.utf8) }

    @Test("PR14: a million mutated heads trap nowhere", arguments: 0..<8)
    func million(_ seed: UInt64) async {
        var random = TestRandom(state: seed)
        var (judged, framed) = (0, 0)
        while judged < 125_000 {
            guard var head = LenientHead(mutant(of: Self.samples, &random)) else { continue }
            // Tests that wait for a server need the threads too.
            if judged % 256 == 0 { await Task.yield() }
            // Taking a head apart costs more than judging it: each is judged again and again,
            // with one more byte changed where the parts lie.
            for _ in 0..<16 {
                judged += 1
                if head.inPlace({ (try? $0.framing()) != nil }) { framed += 1 }
                head.bytes[random.below(head.bytes.count)] = UInt8(random.below(256))
            }
        }
        // Were none right, or all, the mutations would be worth nothing.
        #expect(framed > 5_000 && framed < 100_000, "\(framed)")
    }

    @Test("mutated heads are judged as the rules say, and copied as they came", arguments: 8..<16)
    func judged(_ seed: UInt64) async {
        var random = TestRandom(state: seed)
        for number in 0..<2_000 {
            if number % 64 == 0 { await Task.yield() }
            let bytes = mutant(of: Self.samples, &random)
            guard let head = LenientHead(bytes) else { continue }
            let reference = ReferenceHead(head)
            let expected = reference.verdict
            let verdict = head.inPlace { Self.verdict(on: $0) }
            #expect(
                verdict == expected, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            guard !expected.hasPrefix("4") else { continue }
            #expect(head.inPlace { Self.copy(of: $0) } == reference.request)
        }
    }

    /// As `ReferenceHead` says it.
    private static func verdict(on head: borrowing RequestHead) -> String {
        do throws(Problem) {
            switch try head.framing() {
            case .length(let length): return "length \(length)"
            case .chunked: return "chunked"
            }
        } catch {
            guard error.status == 400 else { return "\(error.status)" }
            let reasons = [
                "The protocol is neither": "protocol", "Send one space": "lines",
                "The method contains": "method", "The request's target": "slash",
                "The path contains": "path", "A header's name": "name", "A header's value": "value",
                "HTTP/1.1 needs": "no host", "The Host header": "host",
                "Content-Length is": "length", "Content-Length and": "both",
                "The only supported": "coding",
            ]
            if let reason = reasons.first(where: { error.detail.hasPrefix($0.key) }) {
                return "400 " + reason.value
            }
            return "400 repeated " + error.detail.split(separator: " ")[2]
        }
    }

    private static func copy(of head: borrowing RequestHead) -> String {
        do throws(Problem) {
            let request = try Request(head)
            let query = request.query.map { "\($0.key)=\($0.value)" }.sorted()
            return ([request.method.rawValue, request.path] + query).joined(separator: " ")
        } catch {
            return "\(error.status)"
        }
    }
}
