internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// Turns a request into its response: finds the route, checks the caller, runs the endpoint, and
/// converts every error into a problem.
struct API: Sendable {
    private let router: Router<Access, Call>
    private let authentication: Authentication
    private let game: Game
    private let reads: ImmediateReads
    private let pages: Pages

    /// Creates the API of a listener.
    init(for audience: Pages.Audience, game: Game) {
        router = Routes.router(for: audience)
        pages = Pages(for: audience)
        authentication = Authentication(players: game.players)
        self.game = game
        reads = ImmediateReads(router, players: game.players, game: game)
    }

    /// Returns the response, if it is available at once on the calling thread.
    func immediateResponse(to head: borrowing RequestHead) -> Response? {
        reads.response(to: head)
    }

    /// Writes what the audit log has counted; the last thing before the store closes.
    func writeRepeatedReads() async {
        do throws(StoreError) {
            try await game.writeRepeatedReads()
        } catch {
            game.dependencies.log.warning(
                "cannot write the counts of repeated reads", ["error": "\(error)"])
        }
    }

    /// Returns the response to a request.
    func respond(to request: Request) async -> Response {
        await measured { await routed(request) }
    }

    /// Returns the response to a request that is refused whatever its body is, `nil` if the body may
    /// come: a stranger, or a game master who may not, sends none of those that are larger.
    func refusal(ofHead request: Request) async -> Response? {
        guard case .found(let route, let request) = router.match(request),
            case .admin(let least) = route.access
        else { return await respond(to: request) }
        let audit = CallAudit(of: request, to: route)
        do {
            _ = try await admission(of: request, atLeast: least, audit)
            return nil
        } catch {
            return await measured {
                let response = await responding(to: request, on: route) { throw error }
                return (
                    Self.template(of: route), await finish(audit, request, route, response)
                )
            }
        }
    }

    private func measured(
        _ respond: () async -> (template: String, Response)
    ) async -> Response {
        let began = game.now
        let (template, response) = await respond()
        let metrics = game.dependencies.metrics
        metrics.add(.requests, labels: Self.labels(of: template, status: response.status))
        metrics.observe(
            .requestTime, milliseconds: game.now.milliseconds - began.milliseconds)
        return response
    }

    /// Returns the labels of a request in metrics.
    static func labels(of route: APIRoute, status: Int) -> String {
        labels(of: template(of: route), status: status)
    }

    private static func template(of route: APIRoute) -> String {
        "\(route.method.rawValue) \(route.template)"
    }

    private static func labels(of route: String, status: Int) -> String {
        "route=\"\(route)\",status=\"\(status)\""
    }

    private func routed(_ request: Request) async -> (template: String, Response) {
        let arrival = RequestArrival(of: request, at: game.shards.map)
        // Before anything waits.
        let refusal = arrival == .redirected ? nil : refusal(of: request)
        switch router.match(request) {
        case .notFound:
            if let page = pages.response(to: request) {
                return (Pages.template, refusal ?? page)
            }
            return ("none", refusal ?? Problem.notFound.response)
        case .methodNotAllowed(let allowed):
            return ("none", refusal ?? Problem.methodNotAllowed(allowed).response)
        case .found(let route, let request):
            let template = Self.template(of: route)
            if let refusal { return (template, refusal) }
            return (template, await run(route, request, arrival))
        }
    }

    /// Returns the refusal of an address that sends too many requests.
    private func refusal(of request: Request) -> Response? {
        do throws(Problem) {
            try game.limits.spend(.requestsOfAddress, .address(request.client))
            return nil
        } catch {
            game.limits.noteRefused(
                request, behind: game.settings.http.proxies, game.dependencies.log)
            return Self.response(to: error)
        }
    }

    private func run(
        _ route: APIRoute, _ request: Request, _ arrival: RequestArrival
    ) async -> Response {
        switch route.access {
        case .anyone:
            await responding(to: request, on: route, arrival) {
                try await route.handle(request, Call(caller: .nobody, game: game))
            }
        case .player:
            await responding(to: request, on: route, arrival) {
                let device = try await authentication.device(of: request)
                if arrival != .redirected {
                    try game.limits.spend(
                        .requestsOfPlayer, .player(device.player, at: request.client))
                }
                game.newTokens.note(device.player, at: request.client)
                let call = Call(caller: .player(device), game: game)
                guard let key = try IdempotencyKey.key(of: request, by: call.caller) else {
                    return try await route.handle(request, call)
                }
                return try await once(route, request, call, key)
            }
        case .doctor:
            await responding(to: request, on: route, arrival) {
                let token = try Authentication.bearer(request)
                try await game.doorkeeper.guarding(request, game.limits) {
                    guard
                        DoctorToken.isValid(token, of: game.settings.adminKey, at: game.wallNow)
                    else { throw Problem.unauthorized }
                }
                return try await route.handle(
                    request, Call(caller: .nobody, game: game))
            }
        case .signIn:
            await runAudited(route, request, arrival) { audit in
                try await route.handle(
                    request, Call(caller: .nobody, game: game, audit: audit))
            }
        case .admin(let least):
            await runAudited(route, request, arrival) { audit in
                let admission = try await admission(of: request, atLeast: least, audit)
                return try await route.handle(
                    request,
                    Call(
                        caller: .gameMaster(admission.holder), game: game, audit: audit,
                        admission: admission))
            }
        }
    }

    /// Runs the call of a game master. It returns the response once the audit log has the call.
    private func runAudited(
        _ route: APIRoute, _ request: Request, _ arrival: RequestArrival,
        _ body: (CallAudit) async throws -> Response
    ) async -> Response {
        let audit = CallAudit(of: request, to: route)
        let response = await responding(to: request, on: route, arrival, audit) {
            try await body(audit)
        }
        return await finish(audit, request, route, response)
    }

    /// Returns what lets the calling game master in; refuses one whose role is too low.
    private func admission(
        of request: Request, atLeast least: Role, _ audit: CallAudit
    ) async throws -> Admission {
        let admission = try await game.doorkeeper.admission(of: request, game.limits)
        let master = admission.holder
        audit.note(master)
        guard master.role >= least else { throw Problem.needs(least, not: master) }
        return admission
    }

    private func finish(
        _ audit: CallAudit, _ request: Request, _ route: APIRoute, _ response: Response
    ) async -> Response {
        await responding(to: request, on: route) {
            try await audit.finish(status: response.status, in: game)
            return response
        }
    }

    /// Converts every error into a problem, and responds to a GET with 304 if the client has the
    /// response already.
    private func responding(
        to request: Request, on route: APIRoute, _ arrival: RequestArrival? = nil,
        _ audit: CallAudit? = nil,
        _ body: () async throws -> Response
    ) async -> Response {
        do {
            if game.dependencies.sabotage == .internalError, game.now.milliseconds % 64 == 0 {
                throw Sabotage.internalError
            }
            let response = try await body()
            return route.method == .get
                ? EntityTag.conditional(response, to: request) : response
        } catch {
            if let arrival, let redirection = redirect(from: route, arrival, because: error) {
                // The owner writes it.
                if redirection.isFollowed { audit?.noteWritten() }
                return redirection.response
            }
            if let problem = ErrorResponse.problem(for: error) { return Self.response(to: problem) }
            game.dependencies.log.error(
                "a request failed unexpectedly",
                ["route": route.template, "error": "\(error)"])
            return Problem(
                status: 500, title: "Internal server error",
                detail: "The request failed unexpectedly; the server's log has the error."
            ).response
        }
    }

    /// Returns what sends the request to the node that has what it concerns; `nil`: this one has it.
    private func redirect(
        from route: APIRoute, _ arrival: RequestArrival, because error: any Error
    ) -> Redirects.Redirection? {
        guard let redirects = game.redirects else { return nil }
        let (map, listener) = (game.shards.map, route.access.listener)
        switch error {
        case ShardError.elsewhere(let party):
            return redirects.redirection(to: map.place(of: party), for: listener, arrival)
        case ShardError.notTheLeader:
            return redirects.redirection(to: map.leader, for: listener, arrival)
        default: return nil
        }
    }

    /// Carries out a request that its player may repeat, or returns the result that it had. Refused
    /// requests change nothing and are not kept, so the same one again is a new try.
    private func once(
        _ route: APIRoute, _ request: Request, _ call: Call, _ key: RequestKey
    ) async throws -> Response {
        var call = call
        call.key = key
        return try await game.turns.run(key) { [call] in
            if let kept = try await call.kept(key) {
                return try await call.response(to: request, repeating: kept)
            }
            do {
                return try await route.handle(request, call)
            } catch StoreError.requestIsKept {
                guard let kept = try await call.kept(key) else { throw StoreError.requestIsKept }
                return try await call.response(to: request, repeating: kept)
            }
        }
    }

    private static func response(to problem: Problem) -> Response {
        var response = problem.response
        if problem.status == 401 {
            response.headers.append(.init("www-authenticate", "Bearer"))
        }
        return response
    }
}
