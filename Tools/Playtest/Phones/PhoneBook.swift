internal import Isolation

/// All phones of a playtest, by push token: the receivers of the simulator's pushes.
package final class PhoneBook: Sendable {
    private struct State {
        var phones: [Phone] = []
        var owners: [String: Int] = [:]
        var unknownTokens = 0
        var devices: [StartableDevice] = []
        /// The devices, by push-to-start token.
        var deviceOwners: [String: Int] = [:]
        /// The activity started on each device.
        var started: [Int: Int] = [:]

        /// Starts the activity with its own token, as the system does.
        mutating func begin(
            on device: Int, payload: [UInt8], priority: Int, receivedAt: Int64
        ) -> Phone? {
            let phone = devices[device].take(
                payload: payload, priority: priority, receivedAt: receivedAt)
            guard let phone else { return nil }
            phones.append(phone)
            started[device] = phones.count - 1
            owners[devices[device].pushToken] = phones.count - 1
            return phone
        }
    }

    private let state = Locked(State())

    package init() {}

    /// A phone's number in the book.
    package typealias Number = Int

    package func add(_ phone: Phone, token: String) -> Number {
        state.withLock { state in
            state.phones.append(phone)
            state.owners[token] = state.phones.count - 1
            return state.phones.count - 1
        }
    }

    /// A device's number in the book.
    package typealias DeviceNumber = Int

    /// Adds a phone that supports push-to-start; replaces one with the same token.
    package func add(_ device: StartableDevice, startToken: String) -> DeviceNumber {
        state.withLock { state in
            state.devices.append(device)
            state.deviceOwners[startToken] = state.devices.count - 1
            return state.devices.count - 1
        }
    }

    /// Returns the activity that a push has started there, if any.
    package func activityStarted(on device: DeviceNumber) -> Number? {
        state.withLock { $0.started[device] }
    }

    package func device(_ number: DeviceNumber) -> StartableDevice {
        state.withLock { $0.devices[number] }
    }

    /// Assigns the phone's next token; the old one still reaches it until it is retired.
    package func give(token: String, to phone: Number) {
        state.withLock { $0.owners[token] = phone }
    }

    package func change(_ phone: Number, _ body: @Sendable (inout Phone) -> Void) {
        state.withLock { body(&$0.phones[phone]) }
    }

    package subscript(_ phone: Number) -> Phone { state.withLock { $0.phones[phone] } }

    package var all: [Phone] { state.withLock { $0.phones } }

    /// Pushes to unknown tokens.
    package var unknownTokens: Int { state.withLock { $0.unknownTokens } }

    /// Delivers a push; returns the phone's state after it.
    @discardableResult
    package func deliver(
        payload: [UInt8], priority: Int, token: String, receivedAt: Int64
    ) -> Phone? {
        state.withLock { state in
            if let device = state.deviceOwners[token] {
                return state.begin(
                    on: device, payload: payload, priority: priority, receivedAt: receivedAt)
            }
            guard let owner = state.owners[token] else {
                state.unknownTokens += 1
                return nil
            }
            state.phones[owner].take(
                payload: payload, priority: priority, token: token, receivedAt: receivedAt)
            return state.phones[owner]
        }
    }
}
