import Testing

@testable import APNsClient

@Suite struct DeviceTokenTests {
    @Test func aTokenIsHexOfWholeBytes() {
        var digits = 0
        for byte in UInt8.min..<0x80 {
            let character = Character(UnicodeScalar(byte))
            let isDigit = character.isASCII && character.isHexDigit
            if isDigit { digits += 1 }
            let filler = String(repeating: "c0", count: 40)
            for token in ["\(character)0\(filler)", "\(filler)0\(character)"] {
                #expect(DeviceToken(hex: token).isWellFormed == isDigit, "byte \(byte)")
            }
        }
        #expect(digits == 22)
    }

    @Test(arguments: ["", "c", "c0f", "日本", "c0日", String(repeating: "c", count: 1026)])
    func otherTextsAreNoTokens(text: String) {
        #expect(!DeviceToken(hex: text).isWellFormed)
    }
}
