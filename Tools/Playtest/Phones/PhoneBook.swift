internal import Isolation

/// All phones of a playtest, by push token: the receivers of the simulator's pushes.
package final class PhoneBook: Sendable {
    private struct Pages {
        var phones: [Phone] = []
        var owners: [String: Int] = [:]
        var strangers = 0
        var devices: [StartableDevice] = []
        /// The devices, by push-to-start token.
        var deviceOwners: [String: Int] = [:]
        /// The activity started on each device.
        var begun: [Int: Int] = [:]

        /// Starts the activity with its own token, as the system does.
        mutating func begin(
            on device: Int, payload: [UInt8], priority: Int, receivedAt: Int64
        ) -> Phone? {
            let phone = devices[device].take(
                payload: payload, priority: priority, receivedAt: receivedAt)
            guard let phone else { return nil }
            phones.append(phone)
            begun[device] = phones.count - 1
            owners[devices[device].pushToken] = phones.count - 1
            return phone
        }
    }

    private let pages = Locked(Pages())

    package init() {}

    /// A phone's number in the book.
    package typealias Number = Int

    package func add(_ phone: Phone, token: String) -> Number {
        pages.withLock { pages in
            pages.phones.append(phone)
            pages.owners[token] = pages.phones.count - 1
            return pages.phones.count - 1
        }
    }

    /// A device's number in the book.
    package typealias DeviceNumber = Int

    /// Adds a phone that supports push-to-start; replaces one with the same token.
    package func add(_ device: StartableDevice, startToken: String) -> DeviceNumber {
        pages.withLock { pages in
            pages.devices.append(device)
            pages.deviceOwners[startToken] = pages.devices.count - 1
            return pages.devices.count - 1
        }
    }

    /// Returns the activity that a push has started there, if any.
    package func cardBegun(on device: DeviceNumber) -> Number? {
        pages.withLock { $0.begun[device] }
    }

    package func device(_ number: DeviceNumber) -> StartableDevice {
        pages.withLock { $0.devices[number] }
    }

    /// Assigns the phone's next token; the old one still reaches it until it is retired.
    package func give(token: String, to phone: Number) {
        pages.withLock { $0.owners[token] = phone }
    }

    package func change(_ phone: Number, _ body: @Sendable (inout Phone) -> Void) {
        pages.withLock { body(&$0.phones[phone]) }
    }

    package subscript(_ phone: Number) -> Phone { pages.withLock { $0.phones[phone] } }

    package var all: [Phone] { pages.withLock { $0.phones } }

    /// Pushes to unknown tokens.
    package var strangers: Int { pages.withLock { $0.strangers } }

    /// Delivers a push; returns the phone's state after it.
    @discardableResult
    package func deliver(
        payload: [UInt8], priority: Int, token: String, receivedAt: Int64
    ) -> Phone? {
        pages.withLock { pages in
            if let device = pages.deviceOwners[token] {
                return pages.begin(
                    on: device, payload: payload, priority: priority, receivedAt: receivedAt)
            }
            guard let owner = pages.owners[token] else {
                pages.strangers += 1
                return nil
            }
            pages.phones[owner].take(
                payload: payload, priority: priority, token: token, receivedAt: receivedAt)
            return pages.phones[owner]
        }
    }
}
