internal import HTTPServer
internal import PushPolicy

/// From a request to its answer: finds the route, checks the caller, runs the endpoint, and turns
/// every error into a problem.
struct API: Sendable {
    private let router = Router(Routes.all)
    private let authentication: Authentication
    private let game: Game
    private let reads: ImmediateReads

    init(authentication: Authentication, game: Game) {
        self.authentication = authentication
        self.game = game
        reads = ImmediateReads(router, players: authentication.players, game: game)
    }

    /// The response, if it can be given at once, on the thread that asks.
    func immediateResponse(to head: borrowing RequestHead) -> Response? {
        reads.response(to: head)
    }

    func respond(to request: Request) async -> Response {
        let began = game.now
        let (template, response) = await answer(to: request)
        let metrics = game.dependencies.metrics
        metrics.add(.requests, labels: Self.labels(of: template, status: response.status))
        metrics.observe(
            .requestTime, milliseconds: game.now.milliseconds - began.milliseconds)
        return response
    }

    /// How requests are told apart in metrics.
    static func labels(of route: APIRoute, status: Int) -> String {
        labels(of: "\(route.method.rawValue) \(route.template)", status: status)
    }

    private static func labels(of route: String, status: Int) -> String {
        "route=\"\(route)\",status=\"\(status)\""
    }

    private func answer(to request: Request) async -> (template: String, Response) {
        switch router.match(request) {
        case .notFound:
            return ("none", Problem.notFound("There is nothing at this path.").response)
        case .methodNotAllowed(let allowed):
            return ("none", Self.methodNotAllowed(allowed))
        case .found(let route, let request):
            return ("\(route.method.rawValue) \(route.template)", await run(route, request))
        }
    }

    private func run(_ route: APIRoute, _ request: Request) async -> Response {
        do {
            let caller = try await authentication.caller(of: request, for: route.access)
            return try await route.handle(request, Call(caller: caller, game: game))
        } catch {
            if let problem = Problem.answer(to: error) { return Self.response(to: problem) }
            game.dependencies.log.error(
                "a request failed in a way that nobody foresaw",
                ["route": route.template, "error": "\(error)"])
            return Problem(
                status: 500, title: "Internal server error",
                detail: "This is our fault: the operators have been told."
            ).response
        }
    }

    private static func response(to problem: Problem) -> Response {
        var response = problem.response
        if problem.status == 401 {
            response.headers.append(.init("www-authenticate", "Bearer"))
        }
        return response
    }

    private static func methodNotAllowed(_ allowed: [Method]) -> Response {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        var response = Problem(
            status: 405, title: "Method not allowed", detail: "This path takes \(names)."
        ).response
        response.headers.append(.init("allow", names))
        return response
    }
}
