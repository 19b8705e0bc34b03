internal import APNsClient

/// The pending faults. The first that matches applies.
package struct FaultScript: Sendable {
    private var lines: [Line] = []
    private var dice: FaultDice

    /// The limit of faults, because each request is compared with all of them.
    static let linesMax = 1_000

    private struct Line: Sendable {
        let fault: Fault
        var met = 0
        var done = 0
    }

    init(seed: UInt64) { dice = FaultDice(seed: seed) }

    package mutating func add(_ fault: Fault) { lines.append(Line(fault: fault)) }

    package mutating func removeAll() { lines.removeAll() }

    /// Returns the effect on a push to this token.
    mutating func effect(on token: String?) -> Fault.Effect? {
        guard !lines.isEmpty else { return nil }
        return effect(on: .device(token.map(PushRules.lowerCase)))
    }

    /// Returns the effect on a request about this channel, or about channels in general.
    mutating func effect(onChannel id: String?) -> Fault.Effect? { effect(on: .channel(id)) }

    /// Each fault, with its counts of matches and effects.
    var all: [ScriptedFault] {
        lines.map { ScriptedFault(fault: $0.fault, met: $0.met, done: $0.done) }
    }

    /// A request's target.
    private enum Target {
        case device(String?), channel(String?)
    }

    private mutating func effect(on target: Target) -> Fault.Effect? {
        for index in lines.indices where fits(lines[index].fault.scope, target) {
            lines[index].met += 1
            let fault = lines[index].fault
            let late = lines[index].met - fault.skipping
            guard late > 0, late % fault.every == 0 else { continue }
            lines[index].done += 1
            if lines[index].done == fault.times { lines.remove(at: index) }
            return fault.effect
        }
        return nil
    }

    private mutating func fits(_ scope: Fault.Scope, _ target: Target) -> Bool {
        switch (scope, target) {
        case (.all, _): true
        case (.share(let share), _): dice.roll() < share
        case (.token(let wanted), .device(let token)): wanted.lowercased() == token
        case (.channel(let wanted), .channel(let id)): wanted == id
        case (.token, .channel), (.channel, .device): false
        }
    }
}

/// Why a fault cannot be added.
enum FaultScriptError: Error, Hashable, CustomStringConvertible {
    case tooMany(limit: Int)

    var description: String {
        switch self {
        case .tooMany(let limit): "There are \(limit) faults: DELETE /faults first."
        }
    }
}

/// A fault with its counts.
package struct ScriptedFault: Sendable {
    package let fault: Fault
    /// Requests in its scope.
    package let met: Int
    /// Requests that it affected.
    package let done: Int
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same seed yields the same faults.
package struct FaultDice: Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a random number in 0..<1.
    package mutating func roll() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a version 4 UUID as text, in lower case.
    mutating func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return UUIDText.text(UInt128(high) << 64 | UInt128(low))
    }
}
