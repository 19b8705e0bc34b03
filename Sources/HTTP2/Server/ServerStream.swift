/// A request on its way in, and its response on its way out.
struct ServerStream {
    enum Phase {
        case arriving
        /// The handler has it, or it was refused.
        case handled
    }

    var id: Int32
    var phase = Phase.arriving
    var body: [UInt8] = []
    var response: [UInt8] = []
    var responseOffset = 0
    private var method = ""
    private var path = ""
    private var headers: [HTTP2Header] = []

    init(id: Int32) {
        self.id = id
    }

    /// Takes a header. The pseudo-headers that a handler has no use for are dropped.
    mutating func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>,
        indexing: HTTP2Header.Indexing
    ) {
        let text = String(decoding: value, as: UTF8.self)
        guard name.first == UInt8(ascii: ":") else {
            headers.append(
                HTTP2Header(String(decoding: name, as: UTF8.self), text, indexing: indexing))
            return
        }
        if name.elementsEqual(":path".utf8) {
            path = text
        } else if name.elementsEqual(":method".utf8) {
            method = text
        }
    }

    /// The whole request, once.
    mutating func takeRequest() -> HTTP2Request? {
        guard phase == .arriving else { return nil }
        phase = .handled
        defer {
            headers = []
            body = []
        }
        return HTTP2Request(method: method, path: path, headers: headers, body: body)
    }
}

/// The streams of one server connection, in slots that are used again: nghttp2 keeps each
/// stream's slot, so that nothing is searched for.
struct ServerStreamTable {
    /// `nil`: free. Changed in place.
    var slots: [ServerStream?] = []
    private var free: [Int] = []

    mutating func insert(_ stream: ServerStream) -> Int {
        guard let slot = free.popLast() else {
            slots.append(stream)
            return slots.count - 1
        }
        slots[slot] = stream
        return slot
    }

    mutating func remove(_ slot: Int) {
        guard slots.indices.contains(slot), slots[slot] != nil else { return }
        slots[slot] = nil
        free.append(slot)
    }

    /// Is the slot still this stream's? A delayed answer may come too late.
    func holds(_ stream: Int32, in slot: Int) -> Bool {
        slots.indices.contains(slot) && slots[slot]?.id == stream
    }
}
