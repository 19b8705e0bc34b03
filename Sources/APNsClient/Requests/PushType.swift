extension PushRequest {
    /// The `apns-push-type` values that the library supports.
    public enum PushType: String, Sendable, CaseIterable {
        /// A Live Activity's start, update or end.
        case liveactivity
        /// An ordinary notification, visible or audible.
        case alert
        /// Wakes the app without a visible or audible sign.
        case background
        /// Reloads the app's widgets (iOS 26).
        case widgets
        /// Reloads the app's controls (iOS 18).
        case controls

        /// Returns an app's topic: its bundle id and this type's suffix.
        public func topic(bundleID: String) -> String { bundleID + topicSuffix }

        /// The suffix of the bundle id in `apns-topic`; empty for alert and background.
        public var topicSuffix: String {
            switch self {
            case .liveactivity: ".push-type.liveactivity"
            case .alert, .background: ""
            case .widgets: ".push-type.widgets"
            case .controls: ".push-type.controls"
            }
        }

        /// Returns whether APNs allows this priority with this type.
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
        /// After all others, and without waking the device.
        case lowest = 1
        /// When convenient for the device's power.
        case low = 5
        /// Immediate.
        case high = 10
    }

    /// `apns-priority` of a Live Activity, which does not allow 1.
    public enum LiveActivityPriority: Int, Sendable, CaseIterable {
        /// When convenient for the device; does not count against the activity's budget.
        case low = 5
        /// Immediate; counts against the budget.
        case high = 10

        /// The corresponding general priority.
        public var priority: Priority {
            switch self {
            case .low: .low
            case .high: .high
            }
        }
    }
}
