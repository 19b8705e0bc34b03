/// "/v1/parties/{party}", taken apart.
struct RouteTemplate: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case exact(String)
        case parameter(String)
    }

    let segments: [Segment]

    init(_ template: String) {
        precondition(template.hasPrefix("/"), "the route \(template) must begin with a slash")
        segments = template.dropFirst()
            .split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                part.hasPrefix("{") && part.hasSuffix("}")
                    ? .parameter(String(part.dropFirst().dropLast())) : .exact(String(part))
            }
    }

    /// The segments of a request's path, decoded; nil where the encoding is broken.
    static func segments(of path: String) -> [String]? {
        guard path.hasPrefix("/") else { return nil }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(part) else { return nil }
            segments.append(segment)
        }
        return segments
    }

    /// The template without its parameters' names: two that are equal here match the same paths.
    var shape: [String?] {
        segments.map { segment in
            switch segment {
            case .exact(let text): text
            case .parameter: nil
            }
        }
    }

    /// Whether this one is asked first: exact segments before parameters, from the left.
    func isPreferred(to other: RouteTemplate) -> Bool {
        for (mine, others) in zip(shape, other.shape) where (mine == nil) != (others == nil) {
            return mine != nil
        }
        return false
    }

    /// The parameters' values if the path fits; a parameter is never empty.
    func parameters(in path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, value) in zip(segments, path) {
            switch segment {
            case .exact(let text):
                guard text == value else { return nil }
            case .parameter(let name):
                guard !value.isEmpty else { return nil }
                parameters[name] = value
            }
        }
        return parameters
    }
}
