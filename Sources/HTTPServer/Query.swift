/// A request's query: unchanged names, and values decoded on access.
///
/// A repeated name keeps its first value, except in `values`.
package struct Query: Sendable {
    private let bytes: [UInt8]
    private let range: Range<Int>

    /// Creates a query from `range` of `bytes`; every value in it is validly encoded.
    init(bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// Encodes a query; the names must need no encoding.
    init(_ values: [String: String]) {
        var bytes: [UInt8] = []
        for (name, value) in values {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            bytes.append(contentsOf: name.utf8)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(value, to: &bytes)
        }
        self.init(bytes: bytes, range: 0..<bytes.count)
    }

    /// The query with its "?"; empty if there is none.
    var target: [UInt8] { range.isEmpty ? [] : [UInt8(ascii: "?")] + bytes[range] }

    package subscript(_ name: String) -> String? {
        if range.isEmpty { return nil }
        var name = name
        return name.withUTF8 { name in
            bytes.withUnsafeBytes { bytes in
                for field in QueryFields(UnsafeRawBufferPointer(rebasing: bytes[range]))
                where field.name.elementsEqual(name) {
                    return PercentEncoding.decode(field.value, plus: .space)
                }
                return nil
            }
        }
    }
}

extension Query {
    /// Returns every value of a name, in order.
    package func values(of name: String) -> [String] {
        bytes.withUnsafeBytes { bytes in
            QueryFields(UnsafeRawBufferPointer(rebasing: bytes[range])).compactMap { field in
                guard field.name.elementsEqual(name.utf8) else { return nil }
                return PercentEncoding.decode(field.value, plus: .space)
            }
        }
    }
}

extension Query: Sequence {
    package func makeIterator() -> IndexingIterator<[(key: String, value: String)]> {
        let names = bytes.withUnsafeBytes { bytes in
            QueryFields(UnsafeRawBufferPointer(rebasing: bytes[range])).map(\.name.text)
        }
        var pairs: [(key: String, value: String)] = []
        for name in names where !pairs.contains(where: { $0.key == name }) {
            if let value = self[name] { pairs.append((name, value)) }
        }
        return pairs.makeIterator()
    }
}
