internal import APNsClient
internal import HTTPServer
internal import JSONWriter

// MARK: - Devices

extension ControlDesk {
    /// What can be said of a device's token.
    private enum DeviceState: String, CaseIterable {
        case online, offline, unregistered, expired
        /// Good again, and good at all under `--strict-tokens`.
        case registered
    }

    static let deviceRoutes: [ControlRoute] = [
        ControlRoute(.put, "/devices/{token}", .loopback) { request, desk in
            let name = try token(request.parameters["token"] ?? "")
            var fields = try ControlFields(request.body)
            let state = try fields.choice("state", of: DeviceState.self).required("state")
            let timestamp = try fields.integer("timestamp", in: 0...Int.max)
            let others = try fields.texts("with").map { text throws(FieldError) in
                try token(text)
            }
            try fields.finish()
            let late = try desk.put(
                state, name, others, at: timestamp.map { Int64($0) } ?? desk.simulator.now())
            return .json(
                ControlJSON.object { json in
                    json.field("state", state.rawValue)
                    json.field("token", TokenMask.shortened(name))
                    if let late { json.field("delivered", late.apnsID) }
                })
        }
    ]

    /// What was stored and is delivered by that.
    private func put(
        _ state: DeviceState, _ token: String, _ others: [String], at moment: Int64
    ) throws(DeviceShelfError) -> AcceptedPush? {
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
            throw FieldError(sentence: "A device token is hex, two digits a byte.")
        }
        return text
    }
}
