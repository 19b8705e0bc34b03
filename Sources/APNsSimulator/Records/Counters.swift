/// What the simulator has counted.
package struct Counters: Hashable, Sendable {
    /// All that came, pushes or not.
    package internal(set) var requests = 0
    /// Accepted pushes, whatever the sender was told.
    package internal(set) var accepted = 0
    /// Refused ones by Apple's reason, scripted refusals among them.
    package internal(set) var refused: [String: Int] = [:]
    /// Requests whose answer a scripted fault replaced or delayed.
    package internal(set) var faults = 0
    /// Accepted pushes whose `apns-id` had been accepted before.
    package internal(set) var doubledIDs = 0
    /// Accepted pushes that a device would ignore or mistreat.
    package internal(set) var warned = 0

    /// Accepted broadcasts, and other good requests about channels.
    package internal(set) var broadcasts = 0
    package internal(set) var managed = 0
    /// What became of pushes to devices that were offline.
    package internal(set) var offline = DeliveryCounters()

    package init() {}

    /// Pushes that their devices got. To a device that is online, acceptance is delivery.
    package var delivered: Int {
        accepted - offline.stored - offline.discarded + offline.deliveredLate
    }
}
