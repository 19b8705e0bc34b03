/// The positions of a route's parameters in a path: at most four, without an array per request.
package struct ParameterRanges: Sendable {
    package static let countMax = 4

    package private(set) var count = 0
    private var starts = InlineArray<4, Int>(repeating: 0)
    private var ends = InlineArray<4, Int>(repeating: 0)

    /// The range in the path of the parameter at this index of the template.
    package subscript(_ index: Int) -> Range<Int> { starts[index]..<ends[index] }

    mutating func append(_ range: Range<Int>) {
        starts[count] = range.lowerBound
        ends[count] = range.upperBound
        count += 1
    }

    mutating func removeLast() { count -= 1 }
}

/// The values of a route's `{…}` parts, decoded on access.
package struct Parameters: Sendable {
    private let names: [String]
    private let ranges: ParameterRanges
    private let path: [UInt8]

    init() { self.init(names: [], ranges: ParameterRanges(), path: []) }

    /// Creates parameters. `path` begins with the path; each range in it is validly encoded.
    init(names: [String], ranges: ParameterRanges, path: [UInt8]) {
        self.names = names
        self.ranges = ranges
        self.path = path
    }

    package subscript(_ name: String) -> String? {
        names.firstIndex(of: name).flatMap { index in
            path.withUnsafeBytes {
                PercentEncoding.decode(UnsafeRawBufferPointer(rebasing: $0[ranges[index]]))
            }
        }
    }
}

extension Parameters: Sequence {
    package func makeIterator() -> IndexingIterator<[(key: String, value: String)]> {
        names.map { (key: $0, value: self[$0] ?? "") }.makeIterator()
    }
}
