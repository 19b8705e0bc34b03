internal import JSONReader

/// The phones behind Apple: which card or app a token leads to, and what a push does there.
package final class Phones: @unchecked Sendable {
    // Safe to share: as the scheduler.

    /// What a token leads to.
    enum Place {
        case card(PhoneCard, Person)
        case start(Person)
    }

    private unowned let world: World
    private var places: [String: Place] = [:]
    private var dice: [String: Dice] = [:]

    /// How long a push takes from Apple to a phone, in milliseconds.
    private static let way: (least: Int64, most: Int64) = (50, 2000)

    init(_ world: World) { self.world = world }

    func know(_ token: String, of place: Place) { places[token] = place }

    /// Delivers a push that Apple has accepted.
    func deliver(_ push: SeenPush) {
        guard let place = places[push.token] else { return }
        switch place {
        case .start(let person):
            world.scheduler.after(way(to: push.token), as: 0) { [world] in
                world.scheduler.spawn(as: 0) { await person.startCard() }
            }
        case .card(let card, let person):
            // Apple goes on to accept pushes to a token that was replaced; nothing shows them.
            guard card.token == push.token, card.phase == .active, matters(push) else {
                return
            }
            world.scheduler.after(way(to: push.token), as: 0) {
                let aps = JSONValue(push.body)?["aps"]
                person.show(
                    aps?["content-state"] ?? .null, isEnd: aps?["event"]?.text == "end",
                    on: card)
            }
        }
    }

    private func way(to token: String) -> Int64 {
        dice[token, default: world.scheduler.dice(token, "phone")]
            .between(Self.way.least, Self.way.most)
    }

    /// Whether a person reacts to a push: it asks something, or is the end.
    private func matters(_ push: SeenPush) -> Bool {
        push.has(SeenPush.ask) || push.has(SeenPush.end)
    }
}

/// What can be seen in a body that is not read.
extension SeenPush {
    static let ask = Array(#""ask":"#.utf8)
    static let alert = Array(#""alert":"#.utf8)
    static let start = Array(#""event":"start""#.utf8)
    static let end = Array(#""event":"end""#.utf8)

    func has(_ needle: [UInt8]) -> Bool {
        body.withUnsafeBufferPointer { body in
            needle.withUnsafeBufferPointer { needle in
                guard body.count >= needle.count else { return false }
                for start in 0...body.count - needle.count where body[start] == needle[0] {
                    var index = 1
                    while index < needle.count, body[start + index] == needle[index] { index += 1 }
                    if index == needle.count { return true }
                }
                return false
            }
        }
    }
}
