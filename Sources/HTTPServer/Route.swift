/// An endpoint as a value: method, path, required access and handler.
///
/// `Access` and `Context` belong to the application; the server is independent of the game.
package struct Route<Access: Sendable, Context: Sendable>: Sendable {
    package typealias Handler = @Sendable (Request, Context) async throws -> Response

    package let method: Method
    /// "/v1/parties/{party}": a part in braces matches one path segment.
    package let template: String
    package let access: Access
    package let handle: Handler

    package init(
        _ method: Method, _ template: String, _ access: Access, handle: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.access = access
        self.handle = handle
    }
}
