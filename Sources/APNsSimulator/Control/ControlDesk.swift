internal import HTTPServer

/// Finds out what is asked of a simulator, and does it.
struct ControlDesk: Sendable {
    let simulator: APNsSimulator
    /// `nil`: nobody keeps requests.
    let recent: RecentRecords?

    private static let router = Router<ControlAccess, ControlDesk>(
        countingRoutes + faultRoutes + deviceRoutes + connectionRoutes)

    func answer(_ request: Request) async -> Response {
        if let problem = ControlGuard.problem(with: request) { return problem.response }
        switch Self.router.match(request) {
        case .notFound: return Problem.notFound.response
        case .methodNotAllowed(let allowed): return Problem.methodNotAllowed(allowed).response
        case .found(let route, let request):
            do {
                return try await route.handle(request, self)
            } catch let error as FieldError {
                return Self.problem(400, "Bad request", error.sentence)
            } catch {
                // A certificate that cannot be made, too many devices: the state is in the way.
                return Self.problem(409, "Not possible", "\(error)")
            }
        }
    }

    private static func problem(_ status: Int, _ title: String, _ detail: String) -> Response {
        Problem(status: status, title: title, detail: detail).response
    }
}

/// Who may ask: whoever gets to the port.
enum ControlAccess: Hashable, Sendable {
    case loopback
}

/// A path of the control interface.
typealias ControlRoute = Route<ControlAccess, ControlDesk>

// MARK: - Counting and looking

extension ControlDesk {
    private enum Limit {
        /// Requests that one answer lists.
        static let pushes = 100
    }

    private static let countingRoutes: [ControlRoute] = [
        ControlRoute(.get, "/counters", .loopback) { _, desk in
            .json(
                ControlJSON.counters(
                    desk.simulator.counters, devicesOffline: desk.simulator.devicesOffline))
        },
        ControlRoute(.get, "/pushes", .loopback) { request, desk in
            let after = try number("after", in: request) ?? 0
            let limit = min(try number("limit", in: request) ?? Limit.pushes, Limit.pushes)
            guard let recent = desk.recent else {
                return problem(
                    409, "Not possible",
                    "This simulator keeps no requests, to be quick: start it without --quiet.")
            }
            let (records, next) = recent.after(after, max: limit)
            return .json(ControlJSON.pushes(records, next: next))
        },
        ControlRoute(.get, "/channels", .loopback) { _, desk in
            .json(desk.channels)
        },
        ControlRoute(.put, "/channels", .loopback) { request, desk in
            var fields = try ControlFields(request.body)
            let feature = try fields.choice("feature", of: BroadcastFeature.self)
                .required("feature")
            try fields.finish()
            desk.simulator.setBroadcastFeature(feature)
            return .json(desk.channels)
        },
    ]

    private var channels: [UInt8] {
        ControlJSON.channels(
            simulator.channels, simulator.broadcastFeature, at: simulator.now())
    }

    private static func number(
        _ name: String, in request: Request
    ) throws(FieldError) -> Int? {
        guard let text = request.query[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw FieldError(sentence: "'\(name)' must be a whole number from 0 on.")
        }
        return number
    }
}

// MARK: - Faults

extension ControlDesk {
    private static let faultRoutes: [ControlRoute] = [
        ControlRoute(.get, "/faults", .loopback) { _, desk in
            .json(ControlJSON.faults(desk.simulator.faults))
        },
        ControlRoute(.post, "/faults", .loopback) { request, desk in
            var fields = try ControlFields(request.body)
            let fault = try Fault(&fields)
            try fields.finish()
            try desk.simulator.addWithinLimit(fault)
            return .json(ControlJSON.fault(fault), status: 201)
        },
        ControlRoute(.delete, "/faults", .loopback) { _, desk in
            desk.simulator.removeFaults()
            return .noContent
        },
    ]
}
