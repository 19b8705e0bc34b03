internal import GameLogic

/// How APNs refused one push: neither for the rate nor for the provider token, which hold for all
/// pushes and have bounds of their own, nor by a failure of its own.
package enum OwnRefusal: Hashable, Sendable, CaseIterable {
    /// The connection, the moment or what all pushes share may be to blame: the same may pass later.
    case forNow
    /// The same target would refuse the same content again.
    case forGood
}

/// The refusals of one activity's own pushes. They bound how often APNs is asked again, whatever
/// reasons, dates and bodies it answers with.
///
/// At a bound the activity's target is given up: the app is asked for another token.
package struct OwnRefusals: Hashable, Sendable {
    /// How often the same content goes to a target that refuses it for good.
    package static let sameMax = 2
    /// The most refusals in an activity's life.
    package static let lifeMax = 20
    /// From so many on each one gives up the target: the last one is left for the app's next token.
    package static let givingUpMin = lifeMax - 1

    /// Each refusal, oldest first: the mark of its content at its target, with the lowest bit set if
    /// it was for good; 0 if the push was outdated, or the content has been accepted since.
    package private(set) var marks: [UInt32]

    package init() { marks = [] }

    /// Restores what is stored; `nil` where no activity can be like that.
    package init?(marks: [UInt32]) {
        guard marks.count <= Self.lifeMax else { return nil }
        self.marks = marks
    }

    package var isEmpty: Bool { marks.isEmpty }

    /// Whether nothing may be sent to the activity any more.
    package var areSpent: Bool { marks.count >= Self.lifeMax }

    /// Whether they have reached a bound.
    var areAtBound: Bool {
        marks.count >= Self.givingUpMin || marks.contains { $0 != 0 && forbid($0 & ~1) }
    }

    /// Returns whether content with this mark may not go to its target again.
    func forbid(_ mark: UInt32) -> Bool {
        let same = marks.filter { $0 & ~1 == mark }
        return same.count >= Self.sameMax && same.contains { $0 & 1 == 1 }
    }

    /// Notes a refusal of content with this mark. Returns whether to give up the target.
    mutating func note(_ refusal: OwnRefusal, of mark: UInt32?) -> Bool {
        if !areSpent {
            marks.append(mark.map { refusal == .forGood ? $0 | 1 : $0 } ?? 0)
        }
        return marks.count >= Self.givingUpMin || mark.map(forbid) ?? false
    }

    /// Notes that content with this mark was accepted. Its refusals still count.
    mutating func forgive(_ mark: UInt32) {
        marks = marks.map { $0 & ~1 == mark ? 0 : $0 }
    }
}

extension LocalizableContent {
    /// Returns what stands for the content in the registration's language at its target: an even
    /// number, never 0; `nil` without a target.
    func mark(for registration: ActivityRegistration) -> UInt32? {
        guard let target = registration.target else { return nil }
        var print = Fingerprint()
        switch target {
        case .device(let token), .page(let token): print.combine(token.hex)
        case .channel(let channel): print.combine(channel.rawValue)
        }
        print.combine(registration.language.rawValue)
        print.combine(Int64(health.thousandths))
        print.combine(Int64(details))
        print.combine(text.key)
        for argument in text.arguments {
            switch argument {
            case .name(let name): print.combine(name)
            case .count(let count): print.combine(Int64(count))
            case .message(let message):
                print.combine(message.text(in: registration.language.rawValue))
            }
        }
        return max(2, print.value & ~1)
    }
}

extension ActivityOutbox {
    /// Whether APNs has refused so much that nothing may be sent to the activity any more.
    package var isSpent: Bool { setbacks.refusals.areSpent }

    /// Returns whether pushes may go to the registration's token.
    func hasLivingToken(_ registration: ActivityRegistration) -> Bool {
        registration.hasTarget && registration.tokenConfirmedAt != setbacks.deadTokenAt && !isSpent
    }

    /// Returns whether the registration's target is to be given up, because its refusals have
    /// reached a bound.
    package func givesUp(_ registration: ActivityRegistration) -> Bool {
        registration.hasTarget && !hasLivingToken(registration) && setbacks.refusals.areAtBound
    }

    /// Returns whether the registration's target has refused for good what is owed next.
    func isRefused(by registration: ActivityRegistration) -> Bool {
        guard !setbacks.refusals.isEmpty, let owed = state.ending ?? state.due,
            let mark = owed.content.mark(for: registration)
        else { return false }
        return setbacks.refusals.forbid(mark)
    }
}
