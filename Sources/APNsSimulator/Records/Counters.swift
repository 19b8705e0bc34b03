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

    package init() {}
}
