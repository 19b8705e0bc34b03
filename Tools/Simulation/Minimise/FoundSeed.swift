internal import Foundation

/// A plan that once failed, kept for ever: `Tests/SimulationTests/FoundSeeds/*.json`.
package struct FoundSeed: Codable, Sendable {
    /// What it found, in a sentence.
    package var found: String
    package var invariant: Invariant
    package var plan: Plan

    package init(found: String, invariant: Invariant, plan: Plan) {
        self.found = found
        self.invariant = invariant
        self.plan = plan
    }

    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(FoundSeed.self, from: Data(json))
    }

    /// Readable, with its keys in order.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("a plan cannot be written: \(error)")
        }
    }
}
