/// The simulator's counters.
package struct Counters: Hashable, Sendable {
    /// All requests, pushes or not.
    package internal(set) var requests = 0
    /// Accepted pushes, whatever the sender received.
    package internal(set) var accepted = 0
    /// Refused requests by Apple's reason, with the scripted refusals.
    package internal(set) var refused: [String: Int] = [:]
    /// Requests whose response a scripted fault replaced or delayed.
    package internal(set) var faults = 0
    /// Accepted pushes with an `apns-id` that was accepted before.
    package internal(set) var doubledIDs = 0
    /// Accepted pushes that a device would ignore or mistreat.
    package internal(set) var warned = 0

    /// Accepted broadcasts and other valid channel requests.
    package internal(set) var broadcasts = 0
    package internal(set) var managed = 0
    /// Pushes to offline devices.
    package internal(set) var offline = DeliveryCounters()

    package init() {}

    /// Pushes that reached their devices. For online devices acceptance is delivery.
    package var delivered: Int {
        accepted - offline.stored - offline.discarded + offline.deliveredLate
    }
}
