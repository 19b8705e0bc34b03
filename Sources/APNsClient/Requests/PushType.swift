extension PushRequest {
    /// `apns-push-type` values of this library.
    public enum PushType: String, Sendable, CaseIterable {
        /// A Live Activity's start, update or end.
        case liveactivity
        /// An ordinary notification, seen or heard.
        case alert
        /// Wakes the app without a sign to the person.
        case background
        /// Reloads the app's widgets (iOS 26).
        case widgets
        /// Reloads the app's controls (iOS 18).
        case controls

        /// The topic for an app: its bundle id and this type's suffix.
        public func topic(bundleID: String) -> String { bundleID + topicSuffix }

        /// What follows the bundle id in `apns-topic`; nothing for alert and background.
        public var topicSuffix: String {
            switch self {
            case .liveactivity: ".push-type.liveactivity"
            case .alert, .background: ""
            case .widgets: ".push-type.widgets"
            case .controls: ".push-type.controls"
            }
        }

        /// Whether APNs takes this priority with this type.
        public func allows(_ priority: Priority) -> Bool {
            switch (self, priority) {
            case (.liveactivity, .lowest), (.background, .lowest), (.background, .high): false
            case (.liveactivity, .low), (.liveactivity, .high), (.background, .low): true
            case (.alert, _), (.widgets, _), (.controls, _): true
            }
        }
    }

    /// `apns-priority`.
    public enum Priority: Int, Sendable, CaseIterable {
        /// After everything else, and never waking the device.
        case lowest = 1
        /// When it suits the device's power.
        case low = 5
        /// Immediate.
        case high = 10
    }

    /// `apns-priority` of a Live Activity, which knows no 1.
    public enum LiveActivityPriority: Int, Sendable, CaseIterable {
        /// When it suits the device: it does not count to the activity's budget.
        case low = 5
        /// Immediate: it counts to the budget.
        case high = 10

        /// The same among all priorities.
        public var priority: Priority {
            switch self {
            case .low: .low
            case .high: .high
            }
        }
    }
}
