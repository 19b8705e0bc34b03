internal import Glibc

/// A router's templates as a tree over their segments, in three flat arrays: a lookup retains no
/// objects.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        /// The literal segments that may follow: a range in `edges`.
        var edges = 0..<0
        /// The node for any other segment.
        var parameter: Int?
        /// The template that ends here.
        var place: Int?
    }

    private struct Edge: Sendable {
        /// The segment: a range in `text`.
        var text: Range<Int>
        var node: Int
    }

    private var nodes: [Node] = []
    private var edges: [Edge] = []
    private var text: [UInt8] = []

    init(_ templates: [RouteTemplate]) {
        add(templates.enumerated().map { ($0.offset, $0.element.segments[...]) })
    }

    /// Adds the node at the start of these template suffixes; returns its index.
    @discardableResult
    private mutating func add(
        _ ends: [(place: Int, rest: ArraySlice<RouteTemplate.Segment>)]
    ) -> Int {
        let index = nodes.count
        nodes.append(Node())
        var exact: [String: [(place: Int, rest: ArraySlice<RouteTemplate.Segment>)]] = [:]
        var parameter: [(place: Int, rest: ArraySlice<RouteTemplate.Segment>)] = []
        for end in ends {
            switch end.rest.first {
            case nil: nodes[index].place = end.place
            case .exact(let segment):
                exact[segment, default: []].append((end.place, end.rest.dropFirst()))
            case .parameter: parameter.append((end.place, end.rest.dropFirst()))
            }
        }
        let following = exact.sorted { $0.key < $1.key }.map { ($0.key, add($0.value)) }
        let first = edges.count
        for (segment, node) in following {
            let start = text.count
            text.append(contentsOf: segment.utf8)
            edges.append(Edge(text: start..<text.count, node: node))
        }
        nodes[index].edges = first..<edges.count
        if !parameter.isEmpty { nodes[index].parameter = add(parameter) }
        return index
    }

    /// Returns the matching template, with its parameters' ranges in the path. A literal segment
    /// farther left takes precedence. A parameter is never empty.
    func place(of path: UnsafeRawBufferPointer) -> (place: Int, parameters: ParameterRanges)? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        var isPlain = true
        for byte in path { isPlain = isPlain && byte != UInt8(ascii: "%") && byte != 0 }
        guard isPlain || PercentEncoding.decode(path) != nil else { return nil }
        var parameters = ParameterRanges()
        guard let place = walk(0, path, from: 1, &parameters) else { return nil }
        return (place, parameters)
    }

    private func walk(
        _ index: Int, _ path: UnsafeRawBufferPointer, from start: Int,
        _ parameters: inout ParameterRanges
    ) -> Int? {
        guard start <= path.count else { return nodes[index].place }
        let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
        let segment = UnsafeRawBufferPointer(rebasing: path[start..<end])
        for edge in nodes[index].edges where isEqual(segment, edges[edge].text) {
            if let place = walk(edges[edge].node, path, from: end + 1, &parameters) { return place }
        }
        guard let next = nodes[index].parameter, !segment.isEmpty else { return nil }
        parameters.append(start..<end)
        if let place = walk(next, path, from: end + 1, &parameters) { return place }
        parameters.removeLast()
        return nil
    }

    /// Compares a segment decoded after splitting, so that "%2F" stays data.
    private func isEqual(_ segment: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        text.withUnsafeBytes { text in
            let exact = text[range]
            if segment.count == exact.count, segment.elementsEqual(exact) { return true }
            guard segment.contains(UInt8(ascii: "%")) else { return false }
            return PercentEncoding.decode(segment)?.utf8.elementsEqual(exact) == true
        }
    }
}
