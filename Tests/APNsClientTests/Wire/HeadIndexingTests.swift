import CNGHTTP2
import Testing

@testable import APNsClient
@testable import HTTP2
@testable import HTTP2Server

@Suite("What of a head may be kept by the peer's HPACK table")
struct HeadIndexingTests {
    /// One head as it went over the wire.
    private struct Head {
        /// Fields that came as "literal never indexed" (RFC 7541 section 6.2.3).
        var never: Set<String> = []
        /// All fields.
        var names: Set<String> = []
        /// The names in the peer's dynamic table behind it.
        var table: Set<String> = []
    }

    /// What a client's session sends for two requests, one after the other, read by nghttp2's
    /// inflater.
    private func heads(of batch: any HTTP2Batch) throws -> [Head] {
        let session = try Session(.client, userData: Self.nobody) { _ in }
        var head = HTTP2RequestHead(authority: "api.push.apple.com")
        for index in 0..<batch.count {
            batch.write(index, to: &head)
            #expect(head.problem == nil)
            let stream = head.block.withFields {
                nghttp2_submit_request(session.handle, nil, $0, $1, nil, nil)
            }
            #expect(stream > 0)
        }
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = try room.withUnsafeMutableBytes { try session.fill($0).get() }
        return try inflated(Self.headBlocks(in: Array(room[..<count])))
    }

    /// No callback is installed, so nobody looks at it.
    private static var nobody: UnsafeMutableRawPointer {
        get throws { try #require(UnsafeMutableRawPointer(bitPattern: 8)) }
    }

    /// The header blocks behind the client's preface (RFC 9113 sections 3.4 and 4.1).
    private static func headBlocks(in bytes: [UInt8]) -> [[UInt8]] {
        var rest = bytes.dropFirst(24)
        var blocks: [[UInt8]] = []
        while rest.count >= 9 {
            let start = rest.startIndex
            let count = rest[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            if rest[start + 3] == UInt8(NGHTTP2_HEADERS.rawValue) {
                blocks.append(Array(rest[start + 9..<start + 9 + count]))
            }
            rest = rest.dropFirst(9 + count)
        }
        return blocks
    }

    private func inflated(_ blocks: [[UInt8]]) throws -> [Head] {
        var made: OpaquePointer?
        #expect(nghttp2_hd_inflate_new(&made) == 0)
        let inflater = try #require(made)
        defer { nghttp2_hd_inflate_del(inflater) }
        return try blocks.map { block in
            var head = Head()
            var (offset, flags) = (0, Int32(0))
            while flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) == 0 {
                var field = nghttp2_nv()
                let count = block.withUnsafeBufferPointer { bytes in
                    nghttp2_hd_inflate_hd2(
                        inflater, &field, &flags, bytes.baseAddress.map { $0 + offset },
                        bytes.count - offset, 1)
                }
                try #require(count >= 0, "\(String(cString: nghttp2_strerror(Int32(count))))")
                offset += count
                guard flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 else { continue }
                head.names.insert(Self.name(of: field))
                if field.flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0 {
                    head.never.insert(Self.name(of: field))
                }
            }
            #expect(nghttp2_hd_inflate_end_headers(inflater) == 0)
            // The static table has the first 61 entries (RFC 7541 appendix A).
            for index in 61..<max(61, nghttp2_hd_inflate_get_num_table_entries(inflater)) {
                guard let entry = nghttp2_hd_inflate_get_table_entry(inflater, index + 1) else {
                    continue
                }
                head.table.insert(Self.name(of: entry.pointee))
            }
            return head
        }
    }

    private static func name(of field: nghttp2_nv) -> String {
        String(
            decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self)
    }

    /// Twice the same requests: the second time what may be kept has been.
    private func expectSecrecy(
        _ batch: any HTTP2Batch, kept: Set<String>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let heads = try heads(of: batch)
        #expect(heads.count == 2, sourceLocation: sourceLocation)
        for head in heads {
            #expect(head.names.isSuperset(of: [":path", "authorization"]))
            #expect(
                head.never.isSuperset(of: [":path", "authorization"]), "\(head.never)",
                sourceLocation: sourceLocation)
            #expect(head.table == kept, sourceLocation: sourceLocation)
        }
    }

    private let token = ProviderToken(jwt: "secret", issuedAt: 1)

    @Test("a push: neither its path nor its authorization, nor what is another one in each push")
    func push() throws {
        let push = Sample.request(collapseID: "wave")
        let requests = RequestBatch.Requests([push, push], submittedAt: 0) { _, _ in }
        let batch = TokenBatch(count: 2) { [token] in requests.write($0, token, &$1) }
        try expectSecrecy(
            batch, kept: [":authority", "apns-push-type", "apns-topic", "apns-priority"])
        let never = try heads(of: batch).first?.never
        #expect(never?.isSuperset(of: ["apns-id", "apns-expiration", "apns-collapse-id"]) == true)
    }

    @Test("a request of texts, even where its caller allows indexing")
    func exchange() throws {
        let request = HTTP2Request(
            method: "POST", path: "/3/device/c0ffee",
            headers: [
                HTTP2Header("authorization", "bearer secret", indexing: .allowed),
                HTTP2Header("apns-topic", "com.example", indexing: .allowed),
            ], body: [])
        let exchange = Exchange(request: request) { _ in }
        try expectSecrecy(
            ExchangeBatch([exchange, exchange]), kept: [":authority", "apns-topic"])
    }

    @Test("an authorization by its name in the program, even where its caller allows indexing")
    func fieldName() throws {
        let batch = TokenBatch(count: 2) { _, head in
            head.begin("POST", path: "/4/", "broadcasts")
            head.add(.authorization, "bearer ", "secret", indexing: .allowed)
        }
        try expectSecrecy(batch, kept: [":authority"])
    }
}

/// Heads without bodies; nobody answers them.
private final class TokenBatch: HTTP2Batch {
    let count: Int
    private let head: @Sendable (Int, inout HTTP2RequestHead) -> Void

    init(count: Int, head: @escaping @Sendable (Int, inout HTTP2RequestHead) -> Void) {
        self.count = count
        self.head = head
    }

    func write(_ index: Int, to head: inout HTTP2RequestHead) { self.head(index, &head) }
    func bodyCount(of index: Int) -> Int { 0 }
    func copyBody(of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer) {}
    func completed(_ index: Int, with answer: HTTP2Response) {}
    func failed(_ index: Int, as failure: HTTP2Failure) {}
}
