internal import HTTPServer

/// A queue in which networks take turns: one item of each that waits is served before the next of
/// any. Its bound is that of what its users add.
struct NetworkTurns<Item: Sendable>: Sendable {
    /// First in, first out.
    private struct Line<Element: Sendable>: Sendable {
        private var elements: [Element] = []
        /// Those before it are gone.
        private var first = 0

        var isEmpty: Bool { first == elements.count }

        mutating func append(_ element: Element) { elements.append(element) }

        mutating func popFirst() -> Element? {
            guard !isEmpty else { return nil }
            let element = elements[first]
            first += 1
            if 2 * first >= elements.count {
                elements.removeFirst(first)
                first = 0
            }
            return element
        }
    }

    /// The networks that wait, each once.
    private var networks = Line<ClientAddress>()
    private var items: [ClientAddress: Line<Item>] = [:]

    var isEmpty: Bool { networks.isEmpty }

    mutating func append(_ item: Item, of network: ClientAddress) {
        if items[network] == nil { networks.append(network) }
        items[network, default: Line()].append(item)
    }

    /// Removes and returns the oldest item of the network whose turn it is.
    mutating func popNext() -> Item? {
        guard let network = networks.popFirst() else { return nil }
        let item = items[network]?.popFirst()
        if items[network]?.isEmpty == false {
            networks.append(network)
        } else {
            items[network] = nil
        }
        return item
    }
}
