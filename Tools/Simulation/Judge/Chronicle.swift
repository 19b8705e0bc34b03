internal import JSONReader

/// What happened to cards and parties in words, kept when a run is told.
struct Chronicle {
    private(set) var lines: [ChronicleLine] = []

    mutating func see(_ scene: JudgedSight, in world: Circumstances) {
        switch scene {
        case .sent(let push):
            let words = push.isOfCard ? ": \(push.told)" : ""
            note(
                """
                server \(push.seen.life) sends push \(push.seen.number) (\(push.form), priority \
                \(push.seen.priority)\(push.alert == nil ? "" : ", with an alert")\
                \(push.timestamp.map { ", timestamp \($0)" } ?? "")) to \(name(push, world))\(words)
                """, world)
        case .reached(let push, let status, let reason):
            guard status != 200 else { return }
            note(
                """
                APNs refuses push \(push.seen.number) to \(name(push, world)): \(status) \
                \(reason ?? "")
                """, world)
        case .answered(let push, let status, let reason):
            let answer = status.map { "\($0) \(reason ?? "")" } ?? "that no response came"
            note(
                """
                server \(push.seen.life) is told of push \(push.seen.number) to \
                \(name(push, world)): \(answer)
                """, world)
        case .exchange(let exchange): note(exchange, in: world)
        case .other(let sight): note(sight, in: world)
        }
    }

    private mutating func note(
        _ words: String, _ world: Circumstances, isGeneral: Bool = false, isLook: Bool = false
    ) {
        lines.append(
            ChronicleLine(at: world.now, words: words, isGeneral: isGeneral, isLook: isLook))
    }

    mutating func note(_ words: String, at now: Int64) {
        lines.append(ChronicleLine(at: now, words: words, isGeneral: true))
    }

    /// Notes what has changed in the store.
    mutating func note(store changes: [String], at now: Int64) {
        lines += changes.map {
            ChronicleLine(at: now, words: "the store \($0)", isOfStore: true)
        }
    }

    private func name(_ push: JudgedPush, _ world: Circumstances) -> String {
        let card = world.cards.activities[push.token]
        return card.map { "\($0) (card …\(push.token.suffix(6)))" }
            ?? "token …\(push.token.suffix(6))"
    }

    private mutating func note(_ exchange: JudgedExchange, in world: Circumstances) {
        let status = exchange.seen.status.map(String.init) ?? "no response"
        var words = "\(exchange.seen.client): \(exchange.call) → \(status)"
        if let party = exchange.party {
            let event = party["events"]?.elements?.last
            words += ", \(party["id"]?.text ?? "?") version \(party["version"]?.integer ?? 0)"
            if let event {
                words += ", event \(event["sequence"]?.integer ?? 0) \(event["kind"]?.text ?? "")"
            }
        }
        note(words, world, isLook: exchange.seen.method.uppercased() == "GET")
    }

    private mutating func note(_ sight: Sight, in world: Circumstances) {
        switch sight {
        case .started(let life, let failure):
            note(
                "server \(life) " + (failure.map { "cannot start: \($0)" } ?? "serves"), world,
                isGeneral: true)
        case .died(let life, let powerLost):
            note(
                "server \(life) dies\(powerLost ? " with its machine" : "")", world, isGeneral: true
            )
        case .drained(let life): note("server \(life) has stopped", world, isGeneral: true)
        case .calm: note("all faults are over", world, isGeneral: true)
        case .fault(let fault): note(fault.fault.words, world)
        case .logged(let life, let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            guard !text.contains(#""level":"debug""#) else { return }
            note("server \(life) logs \(text.trimmingSuffix { $0.isNewline })", world)
        case .starting, .exchange, .sent, .reached, .answered, .newToken,
            .registered:
            break
        }
    }
}

/// A line of what happened to a card or a party.
package struct ChronicleLine: Hashable, Sendable {
    package let at: Int64
    package let words: String
    /// Whether it concerns everybody.
    package let isGeneral: Bool
    /// Whether somebody only looks.
    package let isLook: Bool
    /// Whether it tells of a row of the store.
    package let isOfStore: Bool

    init(
        at: Int64, words: String, isGeneral: Bool = false, isLook: Bool = false,
        isOfStore: Bool = false
    ) {
        self.at = at
        self.words = words
        self.isGeneral = isGeneral
        self.isLook = isLook
        self.isOfStore = isOfStore
    }

    /// "56.966 s: server 2 serves."
    package var sentence: String { "\(Double(at - Scheduler.start) / 1000) s: \(words)." }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ isDropped: (Character) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, isDropped(last) { rest = rest.dropLast() }
        return rest
    }
}

extension JudgedPush {
    fileprivate var form: String { event.isEmpty ? seen.pushType : event }
    fileprivate var told: String { "“\(description)” at \(health ?? -1)" }
}
