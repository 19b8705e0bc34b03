/// A push accepted with 200, or accepted before its response was lost.
package struct AcceptedPush: Sendable {
    /// Lower-case hex.
    package let token: String
    /// The `apns-id`, received or generated.
    package let apnsID: String
    package let pushType: String
    package let topic: String
    package let priority: Int
    /// Seconds since 1970; 0: one attempt; `nil`: APNs decides.
    package let expiration: Int64?
    package let collapseID: String?
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let payload: [UInt8]
    package let aps: PushedAps
    /// Whether this `apns-id` was accepted before.
    package let repetition: Repetition
    /// Sentences about what a device would ignore or mistreat.
    package let warnings: [String]

    /// Its delivery; devices are online by default.
    package internal(set) var delivery = Delivery.atOnce

    package enum Delivery: String, Hashable, Sendable {
        case atOnce
        /// Stored for an offline device.
        case stored
        /// Not stored, as `apns-expiration` requested.
        case discarded
        /// Stored, then delivered when its device returned.
        case late
    }

    package enum Repetition: Hashable, Sendable {
        case first, again
    }
}
