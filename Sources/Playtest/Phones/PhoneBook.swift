internal import Isolation

/// All phones of a playtest, by push token: what the simulator's pushes reach.
package final class PhoneBook: Sendable {
    private struct Pages {
        var phones: [Phone] = []
        var owners: [String: Int] = [:]
        var strangers = 0
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

    /// The phone's next token; the old one still reaches it until it is retired.
    package func give(token: String, to phone: Number) {
        pages.withLock { $0.owners[token] = phone }
    }

    package func change(_ phone: Number, _ body: @Sendable (inout Phone) -> Void) {
        pages.withLock { body(&$0.phones[phone]) }
    }

    package subscript(_ phone: Number) -> Phone { pages.withLock { $0.phones[phone] } }

    package var all: [Phone] { pages.withLock { $0.phones } }

    /// Pushes to tokens that nobody has.
    package var strangers: Int { pages.withLock { $0.strangers } }

    /// Delivers a push; returns the phone as it is then.
    @discardableResult
    package func deliver(
        payload: [UInt8], priority: Int, token: String, receivedAt: Int64
    ) -> Phone? {
        pages.withLock { pages in
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
