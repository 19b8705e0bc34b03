/// A parsed template such as "/v1/parties/{party}".
struct RouteTemplate: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case exact(String)
        case parameter(String)
    }

    let segments: [Segment]
    /// The parameters' names, in order.
    let parameters: [String]

    init(_ template: String) {
        precondition(template.hasPrefix("/"), "the route \(template) must begin with a slash")
        segments = template.dropFirst()
            .split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                part.hasPrefix("{") && part.hasSuffix("}")
                    ? .parameter(String(part.dropFirst().dropLast())) : .exact(String(part))
            }
        parameters = segments.compactMap { segment in
            switch segment {
            case .exact: nil
            case .parameter(let name): name
            }
        }
        precondition(
            parameters.count <= ParameterRanges.countMax,
            "the route \(template) has more than \(ParameterRanges.countMax) parameters")
    }
}
