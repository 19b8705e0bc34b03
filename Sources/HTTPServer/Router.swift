/// A table of routes that finds the route of a request.
///
/// It splits a path at its slashes before it decodes each segment, so that "%2F" stays data. If
/// several templates match, the one with a literal segment farther left wins: "join" in
/// `/v1/parties/join` is never a party's name. A trailing slash makes a different path.
package struct Router<Access: Sendable, Context: Sendable>: Sendable {
    package let routes: [Route<Access, Context>]
    /// Each route's parameter names.
    private let names: [[String]]
    private let tree: RouteTree
    /// For each template one column per method: the index in `routes`, or nil.
    private let columns: [Int?]

    package init(_ routes: [Route<Access, Context>]) {
        self.routes = routes
        var templates: [RouteTemplate] = []
        var columns: [Int?] = []
        for (index, route) in routes.enumerated() {
            let template = RouteTemplate(route.template)
            let place = templates.firstIndex { $0.shape == template.shape } ?? templates.count
            if place == templates.count {
                templates.append(template)
                columns += Array(repeating: nil, count: Method.allCases.count)
            }
            let column = place * Method.allCases.count + route.method.column
            precondition(
                templates[place] == template && columns[column] == nil,
                "\(route.method.rawValue) \(route.template) is there twice")
            columns[column] = index
        }
        names = routes.map { RouteTemplate($0.template).parameters }
        self.columns = columns
        tree = RouteTree(templates)
    }

    // MARK: Requests

    package enum Match {
        /// The route, with the request's parameters set.
        case found(Route<Access, Context>, Request)
        /// The path exists, but not with this method: 405 with `Allow`.
        case methodNotAllowed(allowed: [Method])
        case notFound
    }

    package func match(_ request: Request) -> Match {
        let match = request.bytes.withUnsafeBytes { bytes in
            self.match(
                request.method, UnsafeRawBufferPointer(rebasing: bytes[..<request.pathCount]))
        }
        switch match {
        case .found(let index, let ranges):
            var matched = request
            matched.parameters = Parameters(
                names: names[index], ranges: ranges, path: request.bytes)
            return .found(routes[index], matched)
        case .methodNotAllowed(let allowed): return .methodNotAllowed(allowed: allowed)
        case .notFound: return .notFound
        }
    }

    // MARK: Paths in place

    /// The result of a path lookup, without copies.
    package enum PathMatch: Sendable {
        /// The index in `routes`, and the positions of the parameters in the path, still encoded.
        case found(Int, ParameterRanges)
        case methodNotAllowed(allowed: [Method])
        case notFound
    }

    /// Looks up an encoded path, without the query.
    package func match(_ method: Method, _ path: UnsafeRawBufferPointer) -> PathMatch {
        guard let (place, parameters) = tree.place(of: path) else { return .notFound }
        let first = place * Method.allCases.count
        guard let index = columns[first + method.column] else {
            return .methodNotAllowed(
                allowed: Method.allCases.filter { columns[first + $0.column] != nil })
        }
        return .found(index, parameters)
    }
}

extension RouteTemplate {
    /// The template without its parameters' names: templates of equal shape match the same paths.
    fileprivate var shape: [String?] {
        segments.map { segment in
            switch segment {
            case .exact(let text): text
            case .parameter: nil
            }
        }
    }
}
