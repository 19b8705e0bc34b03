/// The client behind trusted proxies, as `Forwarded` (RFC 7239) names it.
enum ForwardedHeader {
    /// Returns the last `for` that is not a trusted proxy itself: what stands before it, a client
    /// can have written. `nil` if that one names no address (`unknown`, a made-up name), or if the
    /// header is malformed.
    static func client(
        in head: borrowing RequestHead, behind proxies: [AddressRange]
    ) -> ClientAddress? {
        var client: ClientAddress?
        for index in 0..<head.fields.keptCount {
            let field = head.fields[index]
            guard head.name(of: field).equals(anyCaseOf: "forwarded") else { continue }
            scan(head.value(of: field), proxies, &client)
        }
        return client
    }

    private static func scan(
        _ value: UnsafeRawBufferPointer, _ proxies: [AddressRange],
        _ client: inout ClientAddress?
    ) {
        var start = 0
        var isQuoted = false
        for index in 0...value.count {
            if index < value.count {
                if value[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
                guard value[index] == UInt8(ascii: ","), !isQuoted else { continue }
            }
            let element = UnsafeRawBufferPointer(rebasing: value[start..<index])
            start = index + 1
            let address = isQuoted ? nil : self.address(in: element)
            if let address, proxies.contains(where: { $0.contains(address) }) { continue }
            client = address
        }
    }

    /// Returns the address of an element's `for`.
    private static func address(in element: UnsafeRawBufferPointer) -> ClientAddress? {
        var start = 0
        for index in 0...element.count
        where index == element.count || element[index] == UInt8(ascii: ";") {
            let pair = UnsafeRawBufferPointer(rebasing: element[start..<index]).trimmed
            start = index + 1
            guard pair.count > 4,
                UnsafeRawBufferPointer(rebasing: pair[..<4]).equals(anyCaseOf: "for=")
            else { continue }
            return node(UnsafeRawBufferPointer(rebasing: pair[4...]))
        }
        return nil
    }

    /// Parses `192.0.2.43`, `"192.0.2.43:47011"` and `"[2001:db8::17]:4711"`.
    private static func node(_ text: UnsafeRawBufferPointer) -> ClientAddress? {
        var text = text
        if text.count >= 2, text[0] == UInt8(ascii: "\""),
            text[text.count - 1] == UInt8(ascii: "\"")
        {
            text = UnsafeRawBufferPointer(rebasing: text[1..<text.count - 1])
        }
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            return ClientAddress(UnsafeRawBufferPointer(rebasing: text[1..<end]))
        }
        let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.count
        return ClientAddress(UnsafeRawBufferPointer(rebasing: text[..<end]))
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without blanks around them.
    fileprivate var trimmed: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start] == UInt8(ascii: " ") || self[start] == 9 { start += 1 }
        while end > start, self[end - 1] == UInt8(ascii: " ") || self[end - 1] == 9 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
