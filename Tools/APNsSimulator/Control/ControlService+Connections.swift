internal import HTTP2
internal import HTTP2Server
internal import HTTPServer

// MARK: - Connections

extension ControlService {
    private enum Limit {
        static let milliseconds = 0...3_600_000
        static let streams = 0...100_000
    }

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

    static let connectionRoutes: [ControlRoute] = [
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
        case .http1: reception.opening = .invalidBytes(InvalidResponse.http1Answer)
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
