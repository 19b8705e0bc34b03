/// Finds the route of a request.
package struct Router<Access: Sendable, Context: Sendable>: Sendable {
    package let routes: [Route<Access, Context>]

    package init(_ routes: [Route<Access, Context>]) { self.routes = routes }

    package enum Match {
        /// With the request's parameters filled in.
        case found(Route<Access, Context>, Request)
        /// The path exists, but not with this method: 405 with `Allow`.
        case methodNotAllowed(allowed: [Method])
        case notFound
    }

    package func match(_ request: Request) -> Match { .notFound }
}
