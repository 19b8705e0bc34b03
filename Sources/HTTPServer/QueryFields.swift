/// The fields of a query, in place and undecoded: "a=1&b" has a with "1" and b with "".
struct QueryFields: Sequence, IteratorProtocol {
    private var rest: UnsafeRawBufferPointer

    init(_ query: UnsafeRawBufferPointer) { rest = query }

    mutating func next() -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.count
            let field = rest[..<end]
            rest = UnsafeRawBufferPointer(rebasing: rest[Swift.min(end + 1, rest.count)...])
            if field.isEmpty { continue }
            let equals = field.firstIndex(of: UInt8(ascii: "=")) ?? end
            return (
                UnsafeRawBufferPointer(rebasing: field[..<equals]),
                UnsafeRawBufferPointer(rebasing: field[Swift.min(equals + 1, end)...])
            )
        }
        return nil
    }
}
