/// One header's position: offsets from the head's first byte.
struct HeadField: Sendable {
    var nameStart: UInt32 = 0
    var nameCount: UInt32 = 0
    var valueStart: UInt32 = 0
    /// The size without trailing blanks.
    var valueCount: UInt32 = 0
}

/// The positions of a head's headers, on the stack, so that a request allocates nothing for them.
struct HeadFields {
    /// Headers beyond this number are counted, not kept, and the request is refused.
    static let countMax = 64

    private(set) var count = 0
    /// The size of the headers on the wire.
    private(set) var byteCount = 0
    private var places = InlineArray<64, HeadField>(repeating: HeadField())

    subscript(_ index: Int) -> HeadField { places[index] }

    /// The number of headers kept.
    var keptCount: Int { min(count, Self.countMax) }

    /// Calls `body` with the headers that have a name of this length. Reading them one by one would
    /// copy all places each time.
    func forEach(nameCount: Int, _ body: (HeadField) -> Void) {
        let places = places.span
        for index in 0..<keptCount where places[index].nameCount == nameCount {
            body(places[index])
        }
    }

    /// Returns the header's index; nil if there is no room for it.
    mutating func append(_ field: HeadField) -> Int? {
        byteCount += Int(field.nameCount) + Int(field.valueCount) + 4
        count += 1
        guard count <= Self.countMax else { return nil }
        places[count - 1] = field
        return count - 1
    }
}

/// Headers that must not be repeated, in the order in which a repetition is reported.
enum SingleHeader: Int, CaseIterable {
    case host, contentLength, transferEncoding, authorization, contentType, expect

    var name: StaticString {
        switch self {
        case .host: "host"
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .authorization: "authorization"
        case .contentType: "content-type"
        case .expect: "expect"
        }
    }

    /// Looks a header up by name; the length alone leaves one candidate.
    init?(name: UnsafeRawBufferPointer) {
        let candidate: SingleHeader
        switch name.count {
        case 4: candidate = .host
        case 6: candidate = .expect
        case 12: candidate = .contentType
        case 13: candidate = .authorization
        case 14: candidate = .contentLength
        case 17: candidate = .transferEncoding
        default: return nil
        }
        guard name.equals(anyCaseOf: candidate.name) else { return nil }
        self = candidate
    }
}

/// Which of the single headers a head has: their indices, and the repeated ones.
struct SingleHeaders {
    private var indices = InlineArray<6, Int8>(repeating: -1)
    private var repeated: UInt8 = 0

    mutating func found(_ header: SingleHeader, at index: Int) {
        if indices[header.rawValue] >= 0 {
            repeated |= 1 << UInt8(header.rawValue)
        } else {
            indices[header.rawValue] = Int8(index)
        }
    }

    func index(of header: SingleHeader) -> Int? {
        let index = indices[header.rawValue]
        return index < 0 ? nil : Int(index)
    }

    var firstRepeated: SingleHeader? {
        repeated == 0 ? nil : SingleHeader(rawValue: repeated.trailingZeroBitCount)
    }
}
