/// What an application says about a route. The server does not look at it.
package protocol RouteContract: Sendable {}

/// An endpoint as a value: method, path, required access and handler.
///
/// `Access` and `Context` belong to the application; the server is independent of the game.
package struct Route<Access: Sendable, Context: Sendable>: Sendable {
    package typealias Handler = @Sendable (Request, Context) async throws -> Response

    package let method: Method
    /// "/v1/parties/{party}": a part in braces matches one path segment.
    package let template: String
    package let access: Access
    package let contract: (any RouteContract)?
    package let handle: Handler

    package init(
        _ method: Method, _ template: String, _ access: Access,
        _ contract: (any RouteContract)? = nil, handle: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.access = access
        self.contract = contract
        self.handle = handle
    }

    /// The names of the template's parts in braces, in order.
    package var parameterNames: [String] { RouteTemplate(template).parameters }
}
