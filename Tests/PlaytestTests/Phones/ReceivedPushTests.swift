import Foundation
import Testing

@testable import Playtest

@Suite("A received push")
struct ReceivedPushTests {
    private func english(_ key: String, _ arguments: [String]) throws -> String {
        let json = try JSONSerialization.data(withJSONObject: [
            "loc-key": key, "loc-args": arguments,
        ])
        return try JSONDecoder().decode(ReceivedPush.Text.self, from: json).english
    }

    @Test("English fills the gaps of the key in their order")
    func gaps() throws {
        #expect(
            try english("%@ was hurt by %@.", ["Panda", "a bat"]) == "Panda was hurt by a bat.")
    }

    @Test("arguments beyond the gaps are left out, gaps beyond the arguments stay")
    func unequal() throws {
        #expect(try english("No gaps.", ["Panda"]) == "No gaps.")
        #expect(try english("%@ and %@", ["Panda"]) == "Panda and %@")
    }

    @Test("a push that lacks what the phone's decoder wants throws")
    func incomplete() {
        #expect(throws: DecodingError.self) {
            try ReceivedPush(
                payload: Array(#"{"aps":{"event":"update"}}"#.utf8), priority: 5, receivedAt: 0)
        }
    }
}
