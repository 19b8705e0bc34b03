extension Request {
    /// Shows `body` this request as a head in place, as if it had come over a connection: so that
    /// an immediate handler can be asked without one.
    package func withHead<Result>(_ body: (borrowing RequestHead) -> Result) -> Result {
        let target = Array(bytes[..<pathCount]) + query.target
        var text = Array("\(method.rawValue) ".utf8)
        let path = text.count..<text.count + target.count
        text += target + Array(" HTTP/1.1".utf8)
        let version = path.upperBound + 1..<text.count
        var fields: [(name: Range<Int>, value: Range<Int>)] = []
        headers.forEach { name, value in
            let start = text.count + 2
            text += Array("\r\n".utf8) + name + Array(": ".utf8) + value
            let end = start + name.count
            fields.append((start..<end, end + 2..<text.count))
        }
        text += Array("\r\n\r\n".utf8)
        return text.withUnsafeBytes { text in
            func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: text[range])
            }
            guard let start = text.baseAddress else { preconditionFailure("a head of no bytes") }
            var head = RequestHead(
                method: part(0..<path.lowerBound - 1), path: start + path.lowerBound,
                target: part(path), version: part(version))
            for field in fields { head.header(part(field.name), part(field.value)) }
            head.ended(after: text.count)
            return body(head)
        }
    }
}
