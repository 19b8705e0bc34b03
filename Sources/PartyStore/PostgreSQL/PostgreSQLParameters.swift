internal import CPostgreSQL

/// The parameters of one statement, encoded as PostgreSQL receives them: binary, the highest byte
/// of a number first.
struct PostgreSQLParameters: Sendable {
    /// Types of parameters, by PostgreSQL's numbers for them.
    enum Kind: Oid {
        /// The type follows from where the parameter stands.
        case unknown = 0
        case bytes = 17
        case number = 20
        case text = 25
        case bytesArray = 1001
        case textArray = 1009
        case numberArray = 1016
    }

    private(set) var types: [Oid] = []
    private(set) var hasArrays = false
    /// Where each value lies in `bytes`; `nil`: null.
    private var ranges: [Range<Int>?] = []
    private var bytes: [UInt8] = []

    static let none = PostgreSQLParameters()

    /// The size of all values.
    var byteCount: Int { bytes.count }

    init() {}

    init(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .null: append(.unknown, nil)
            case .integer(let number): append(number)
            case .text(let text): append(.text) { $0 += Array(text.utf8) }
            case .blob(let blob): append(.bytes) { $0 += blob }
            }
        }
    }

    mutating func append(_ number: Int64) { append(.number) { Self.add(number, to: &$0) } }

    mutating func append(array numbers: [Int64]) {
        append(.numberArray) { bytes in
            Self.addHead(.number, count: numbers.count, to: &bytes)
            for number in numbers {
                Self.add(Int32(8), to: &bytes)
                Self.add(number, to: &bytes)
            }
        }
    }

    /// Appends an array of blobs or texts, which are parts of one buffer.
    mutating func append(
        array parts: [Range<Int>], of buffer: UnsafeRawBufferPointer, as element: Kind
    ) {
        append(element == .text ? .textArray : .bytesArray) { bytes in
            bytes.reserveCapacity(bytes.count + parts.reduce(32) { $0 + $1.count + 4 })
            Self.addHead(element, count: parts.count, to: &bytes)
            for part in parts {
                Self.add(Int32(part.count), to: &bytes)
                bytes.append(contentsOf: buffer[part])
            }
        }
    }

    mutating func append(texts: some Collection<String>) {
        append(.textArray) { bytes in
            Self.addHead(.text, count: texts.count, to: &bytes)
            for text in texts {
                Self.add(Int32(text.utf8.count), to: &bytes)
                bytes += text.utf8
            }
        }
    }

    mutating func append(blobs: [[UInt8]]) {
        append(.bytesArray) { bytes in
            Self.addHead(.bytes, count: blobs.count, to: &bytes)
            for blob in blobs {
                Self.add(Int32(blob.count), to: &bytes)
                bytes += blob
            }
        }
    }

    /// Appends a column of rows as an array, with its nulls.
    mutating func append(_ column: [SQLValue], of kind: MovedTable.Kind) {
        let (array, element): (Kind, Kind) =
            switch kind {
            case .number: (.numberArray, .number)
            case .text: (.textArray, .text)
            case .bytes: (.bytesArray, .bytes)
            }
        append(array) { bytes in
            Self.addHead(element, count: column.count, mayHaveNulls: true, to: &bytes)
            for value in column {
                switch value {
                case .null: Self.add(Int32(-1), to: &bytes)
                case .integer(let number):
                    Self.add(Int32(8), to: &bytes)
                    Self.add(number, to: &bytes)
                case .text(let text):
                    Self.add(Int32(text.utf8.count), to: &bytes)
                    bytes += text.utf8
                case .blob(let blob):
                    Self.add(Int32(blob.count), to: &bytes)
                    bytes += blob
                }
            }
        }
    }

    private mutating func append(_ kind: Kind, _ write: ((inout [UInt8]) -> Void)?) {
        types.append(kind.rawValue)
        if [.bytesArray, .textArray, .numberArray].contains(kind) { hasArrays = true }
        guard let write else {
            ranges.append(nil)
            return
        }
        let start = bytes.count
        write(&bytes)
        ranges.append(start..<bytes.count)
    }

    /// The head of an array with one dimension, and 1 as the first index.
    private static func addHead(
        _ element: Kind, count: Int, mayHaveNulls: Bool = false, to bytes: inout [UInt8]
    ) {
        add(Int32(count == 0 ? 0 : 1), to: &bytes)
        add(Int32(mayHaveNulls ? 1 : 0), to: &bytes)
        add(Int32(element.rawValue), to: &bytes)
        guard count > 0 else { return }
        add(Int32(count), to: &bytes)
        add(Int32(1), to: &bytes)
    }

    private static func add(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Lends what libpq takes: count, types, values, lengths and formats.
    func withPointers<Result>(
        _ body: (
            Int32, UnsafePointer<Oid>, UnsafePointer<UnsafePointer<CChar>?>,
            UnsafePointer<Int32>, UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        // A value of no bytes needs an address too: without one it would be null.
        (bytes + [0]).withUnsafeBytes { buffer in
            let base = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            let values = ranges.map { range in range.flatMap { base?.advanced(by: $0.lowerBound) } }
            let lengths = ranges.map { Int32($0?.count ?? 0) }
            let formats = ranges.map { _ in Int32(1) }
            return body(Int32(types.count), types, values, lengths, formats)
        }
    }
}
