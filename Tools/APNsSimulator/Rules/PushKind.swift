/// `apns-push-type` and its requirements for the other headers ("Sending notification requests").
enum PushKind: String, CaseIterable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm
    case pushtotalk, voip, widgets

    /// The suffix of the bundle id in `apns-topic`.
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

    /// The allowed values of `apns-priority`.
    var priorities: Set<Int> {
        switch self {
        case .background: [5]
        case .liveactivity: [5, 10]
        case .alert, .complication, .controls, .fileprovider, .location, .mdm, .pushtotalk,
            .voip, .widgets:
            [1, 5, 10]
        }
    }

    /// APNs' default without the header.
    var priorityDefault: Int { self == .background ? 5 : 10 }

    /// The limit of the body, in bytes.
    var payloadMax: Int { self == .voip ? 5120 : 4096 }
}

/// The environment that the simulator plays.
package enum APNsEnvironment: String, CaseIterable, Hashable, Sendable {
    case sandbox, production
}
