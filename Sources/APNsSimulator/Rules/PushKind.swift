/// `apns-push-type` and what it asks of the other headers ("Sending notification requests").
enum PushKind: String, CaseIterable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm
    case pushtotalk, voip, widgets

    /// What follows the bundle id in `apns-topic`.
    var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushtotalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    /// The values of `apns-priority`.
    var priorities: Set<Int> {
        switch self {
        case .background: [5]
        case .liveactivity: [5, 10]
        case .alert, .complication, .controls, .fileprovider, .location, .mdm, .pushtotalk,
            .voip, .widgets:
            [1, 5, 10]
        }
    }

    /// What APNs takes when the header is left out.
    var priorityDefault: Int { self == .background ? 5 : 10 }

    /// The size of the body in bytes.
    var payloadMax: Int { self == .voip ? 5120 : 4096 }
}

/// Which APNs the simulator plays.
package enum APNsEnvironment: String, CaseIterable, Hashable, Sendable {
    case sandbox, production
}
