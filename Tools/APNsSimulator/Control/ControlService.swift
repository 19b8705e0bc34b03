internal import APNsClient
internal import HTTP2Server
internal import HTTPServer
internal import JSONWriter

/// Parses and performs requests to a simulator.
struct ControlService: Sendable {
    let simulator: APNsSimulator
    /// `nil`: requests are not kept.
    let recent: RecentRecords?

    private static let router = Router<ControlAccess, ControlService>(
        countingRoutes + faultRoutes + deviceRoutes + connectionRoutes)

    func respond(to request: Request) async -> Response {
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
                // The state prevents it, such as a certificate that cannot be created, or too many
                // devices.
                return Self.problem(409, "Not possible", "\(error)")
            }
        }
    }

    private static func problem(_ status: Int, _ title: String, _ detail: String) -> Response {
        Problem(status: status, title: title, detail: detail).response
    }
}

/// Access to the control interface: every client of the port has it.
enum ControlAccess: Hashable, Sendable {
    case loopback
}

/// A path of the control interface.
typealias ControlRoute = Route<ControlAccess, ControlService>

// MARK: - Counters and records

extension ControlService {
    private enum Limit {
        /// The requests listed in one response.
        static let pushes = 100
        static let milliseconds = 0...3_600_000
        static let streams = 0...100_000
    }

    private static let countingRoutes: [ControlRoute] = [
        ControlRoute(.get, "/counters", .loopback) { _, service in
            .json(
                ControlJSON.counters(
                    service.simulator.counters, devicesOffline: service.simulator.devicesOffline,
                    service.simulator.mode))
        },
        ControlRoute(.get, "/pushes", .loopback) { request, service in
            let after = try number("after", in: request) ?? 0
            let limit = min(try number("limit", in: request) ?? Limit.pushes, Limit.pushes)
            guard let recent = service.recent else {
                return problem(
                    409, "Not possible",
                    "This simulator keeps no requests: start it without --quiet.")
            }
            let (records, next) = recent.after(after, max: limit)
            return .json(ControlJSON.pushes(records, next: next))
        },
        ControlRoute(.get, "/channels", .loopback) { _, service in
            .json(service.channels)
        },
        ControlRoute(.put, "/channels", .loopback) { request, service in
            var fields = try ControlFields(request.body)
            let feature = try fields.choice("feature", of: BroadcastFeature.self)
                .required("feature")
            try fields.finish()
            service.simulator.setBroadcastFeature(feature)
            return .json(service.channels)
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
            throw FieldError(sentence: "'\(name)' must be a whole number, 0 or more.")
        }
        return number
    }
}

// MARK: - Faults

extension ControlService {
    private static let faultRoutes: [ControlRoute] = [
        ControlRoute(.get, "/faults", .loopback) { _, service in
            .json(ControlJSON.faults(service.simulator.faults))
        },
        ControlRoute(.post, "/faults", .loopback) { request, service in
            var fields = try ControlFields(request.body)
            let fault = try Fault(&fields)
            try fields.finish()
            try service.simulator.addWithinLimit(fault)
            return .json(ControlJSON.fault(fault), status: 201)
        },
        ControlRoute(.delete, "/faults", .loopback) { _, service in
            service.simulator.removeFaults()
            return .noContent
        },
    ]
}

// MARK: - Devices

extension ControlService {
    /// The states that can be set for a device's token.
    private enum DeviceState: String, CaseIterable {
        case online, offline, unregistered, expired
        /// Valid again, and required for any use under `--strict-tokens`.
        case registered
    }

    static let deviceRoutes: [ControlRoute] = [
        ControlRoute(.put, "/devices/{token}", .loopback) { request, service in
            let name = try token(request.parameters["token"] ?? "")
            var fields = try ControlFields(request.body)
            let state = try fields.choice("state", of: DeviceState.self).required("state")
            let timestamp = try fields.integer("timestamp", in: 0...Int.max)
            let others = try fields.texts("with").map { text throws(FieldError) in
                try token(text)
            }
            try fields.finish()
            let late = try service.put(
                state, name, others, at: timestamp.map { Int64($0) } ?? service.simulator.now())
            return .json(
                ControlJSON.object { json in
                    json.field("state", state.rawValue)
                    json.field("token", TokenMask.shortened(name))
                    if let late { json.field("delivered", late.apnsID) }
                })
        }
    ]

    /// Sets the state; returns the stored push that it delivers.
    private func put(
        _ state: DeviceState, _ token: String, _ others: [String], at moment: Int64
    ) throws(OfflineDevicesError) -> AcceptedPush? {
        switch state {
        case .online: return simulator.bringOnline(token)
        case .offline: try simulator.takeOffline(token, with: others)
        case .unregistered: simulator.unregister(token, at: moment)
        case .expired: simulator.unregister(token, at: moment, as: .expiredToken)
        case .registered: simulator.register(token)
        }
        return nil
    }

    private static func token(_ text: String) throws(FieldError) -> String {
        guard DeviceToken(hex: text).isWellFormed else {
            throw FieldError(sentence: "A device token consists of hex digits, two per byte.")
        }
        return text
    }
}

// MARK: - Connections

extension ControlService {
    /// How new connections begin, by their names in JSON.
    private enum OpeningName: String, CaseIterable {
        case usual, late, silent, http1
    }

    private enum ReplenishName: String, CaseIterable {
        case atOnce = "at-once"
        case never
    }

    /// The name of the valid certificate for new connections; the flaws have their own names.
    private static let goodCertificate = "good"

    private static let connectionRoutes: [ControlRoute] = [
        ControlRoute(.post, "/connections/goaway", .loopback) { request, service in
            var fields = try ControlFields(request.body)
            let reason = try fields.text("reason") ?? "Shutdown"
            let interval = try fields.integer("every", in: 1...Limit.milliseconds.upperBound)
            try fields.finish()
            service.simulator.sendGoAway(reason: reason)
            if let interval {
                service.simulator.sendGoAway(everyMilliseconds: interval, reason: reason)
            }
            return .noContent
        },
        ControlRoute(.delete, "/connections/goaway", .loopback) { _, service in
            service.simulator.sendGoAway(everyMilliseconds: nil, reason: "")
            return .noContent
        },
        ControlRoute(.put, "/connections/streams", .loopback) { request, service in
            var fields = try ControlFields(request.body)
            let count = try fields.integer("max", in: Limit.streams).required("max")
            try fields.finish()
            service.simulator.setStreamsMax(UInt32(count))
            return .noContent
        },
        ControlRoute(.get, "/connections/reception", .loopback) { _, service in
            .json(ControlJSON.reception(service.simulator.reception))
        },
        ControlRoute(.put, "/connections/reception", .loopback) { request, service in
            var fields = try ControlFields(request.body)
            var reception = try reception(&fields)
            try fields.finish()
            reception.identity = service.simulator.reception.identity
            try service.simulator.receive(as: reception)
            return .json(ControlJSON.reception(reception))
        },
        ControlRoute(.put, "/certificate", .loopback) { request, service in
            var fields = try ControlFields(request.body)
            let word = try fields.text("certificate").required("certificate")
            try fields.finish()
            try service.simulator.showCertificate(flaw(word))
            return .noContent
        },
    ]

    /// Reads a reception; absent fields get their defaults.
    private static func reception(
        _ fields: inout ControlFields
    ) throws(FieldError) -> HTTP2Server.Reception {
        var reception = HTTP2Server.Reception()
        let pause = try fields.integer("milliseconds", in: Limit.milliseconds)
        switch try fields.choice("opening", of: OpeningName.self) ?? .usual {
        case .usual: reception.opening = .usual
        case .late: reception.opening = .late(milliseconds: try pause.required("milliseconds"))
        case .silent: reception.opening = .silent
        case .http1: reception.opening = .invalidBytes(InvalidResponse.http1Response)
        }
        // The largest window that HTTP/2 has (RFC 9113 section 6.9.1).
        let window = try fields.integer("window", in: 0...Int(Int32.max))
        reception.initialWindowSize = window.map { UInt32($0) }
        let streams = try fields.integer("streams", in: Limit.streams)
        reception.maxConcurrentStreams = streams.map { UInt32($0) }
        if let after = try fields.integer("replenishAfter", in: Limit.milliseconds) {
            reception.replenishing = .after(milliseconds: after)
        }
        switch try fields.choice("replenish", of: ReplenishName.self) {
        case .never: reception.replenishing = .never
        case .atOnce, nil: break
        }
        return reception
    }

    private static func flaw(_ word: String) throws(FieldError) -> CertificateFlaw? {
        guard word != goodCertificate else { return nil }
        guard let flaw = CertificateFlaw(rawValue: word) else {
            let words = [goodCertificate] + CertificateFlaw.allCases.map(\.rawValue)
            throw FieldError(
                sentence: "'certificate' must be one of \(words.joined(separator: ", ")).")
        }
        return flaw
    }
}
