/// Finds the route of a request.
///
/// A path is split at its slashes first and each segment is decoded after, so that "%2F" stays
/// data. Where several templates fit, the one with the exact segment further left wins: "join"
/// in `/v1/parties/join` is never a party's name. A slash at the end makes another path.
package struct Router<Access: Sendable, Context: Sendable>: Sendable {
    package let routes: [Route<Access, Context>]
    /// Templates in the order of preference; each with its routes by method.
    private let places: [Place]

    /// A template, and what can be done there.
    private struct Place: Sendable {
        let template: RouteTemplate
        var routes: [Method: Route<Access, Context>]
    }

    package init(_ routes: [Route<Access, Context>]) {
        self.routes = routes
        var places: [Place] = []
        for route in routes {
            let template = RouteTemplate(route.template)
            let index = places.firstIndex { $0.template.shape == template.shape }
            guard let index else {
                places.append(Place(template: template, routes: [route.method: route]))
                continue
            }
            precondition(
                places[index].template == template && places[index].routes[route.method] == nil,
                "\(route.method.rawValue) \(route.template) is there twice")
            places[index].routes[route.method] = route
        }
        self.places = places.sorted { $0.template.isPreferred(to: $1.template) }
    }

    package enum Match {
        /// With the request's parameters filled in.
        case found(Route<Access, Context>, Request)
        /// The path exists, but not with this method: 405 with `Allow`.
        case methodNotAllowed(allowed: [Method])
        case notFound
    }

    package func match(_ request: Request) -> Match {
        guard let segments = RouteTemplate.segments(of: request.path) else { return .notFound }
        for place in places {
            guard let parameters = place.template.parameters(in: segments) else { continue }
            guard let route = place.routes[request.method] else {
                return .methodNotAllowed(
                    allowed: Method.allCases.filter { place.routes[$0] != nil })
            }
            var matched = request
            matched.parameters = parameters
            return .found(route, matched)
        }
        return .notFound
    }
}
