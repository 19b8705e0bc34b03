internal import Glibc

/// A request's first line and headers where they lie, before anything is believed.
///
/// It copies nothing and allocates nothing. Its bytes are the library's and the connection's:
/// a caller may use a head, or a part of it, only until the call returns. `Request` is the
/// copy that may be kept.
package struct RequestHead: ~Copyable {
    /// How long the body is.
    package enum Framing: Hashable, Sendable {
        case length(Int)
        case chunked
    }

    /// Whether the head could be taken apart in one way only.
    enum Lines: Sendable {
        case clear
        case ambiguous
    }

    /// What is wrong with the first header that is wrong.
    enum HeaderFlaw: Sendable {
        case name
        case value
    }

    /// "GET": the first byte of it is the head's.
    let methodWord: UnsafeRawBufferPointer
    /// Path and query, undecoded: a copy, because the library cuts the query in pieces in place.
    let target: UnsafeRawBufferPointer
    /// "HTTP/1.1"
    let version: UnsafeRawBufferPointer
    private let pathCount: Int
    var fields = HeadFields()
    var singles = SingleHeaders()
    var lines = Lines.clear
    var headerFlaw: HeaderFlaw?
    /// Where the part that was seen last ends.
    var end: UInt = 0

    /// The first line; `path` is where the library has what `target` is a copy of.
    package init(
        method: UnsafeRawBufferPointer, path: UnsafeRawPointer, target: UnsafeRawBufferPointer,
        version: UnsafeRawBufferPointer
    ) {
        methodWord = method
        self.target = target
        self.version = version
        pathCount = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        end = UInt(bitPattern: method.baseAddress)
        passed(method, separator: 0)
        passed(UnsafeRawBufferPointer(start: path, count: target.count), separator: 1)
        passed(version, separator: 1)
    }
}

// MARK: - What a handler asks of it

extension RequestHead {
    /// What a head has under a header's name.
    package enum Value {
        case absent
        /// Without the blanks around it.
        case one(UnsafeRawBufferPointer)
        /// The header comes more than once: `Request.headers` joins the values.
        case several
    }

    /// HEAD is answered as GET; the library leaves the body away. Nil if no route can have it.
    package var method: Method? { Method(word: methodWord) }

    /// As it came, without the query: percent-encoded.
    package var path: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: target[..<pathCount])
    }

    /// As it came, without the "?"; empty if there is none.
    package var query: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: target[min(pathCount + 1, target.count)...])
    }

    /// The first value with this name in the query, percent-encoded as it came.
    package func queryValue(_ name: StaticString) -> UnsafeRawBufferPointer? {
        for field in QueryFields(query) where field.name.equals(name) { return field.value }
        return nil
    }

    /// The header with this name, which is given in lower case.
    package func header(_ name: StaticString) -> Value {
        var found = Value.absent
        let count = name.utf8CodeUnitCount
        for index in 0..<fields.keptCount where fields[index].nameCount == count {
            guard self.name(of: fields[index]).equals(anyCaseOf: name) else { continue }
            guard case .absent = found else { return .several }
            found = .one(value(of: fields[index]))
        }
        return found
    }

    func name(of field: HeadField) -> UnsafeRawBufferPointer {
        bytes(Int(field.nameStart), Int(field.nameCount))
    }

    func value(of field: HeadField) -> UnsafeRawBufferPointer {
        bytes(Int(field.valueStart), Int(field.valueCount))
    }

    func value(of header: SingleHeader) -> UnsafeRawBufferPointer? {
        singles.index(of: header).map { value(of: fields[$0]) }
    }

    private func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: methodWord.baseAddress.map { $0 + start }, count: count)
    }

    /// Whether path and query are well percent-encoded text. Where nothing is encoded they are,
    /// because `framing()` has found nothing but ASCII.
    var isWellEncoded: Bool {
        guard target.contains(UInt8(ascii: "%")) else { return true }
        return PercentEncoding.decode(path) != nil
            && QueryFields(query).allSatisfy {
                PercentEncoding.decode($0.value, plus: .space) != nil
            }
    }
}
