import Testing

@testable import Secrets

@Test("PR17: a secret prints redacted, however it is printed")
func secretIsRedacted() {
    let secret = Secret("hunter2-hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped, "\(["key": secret])"] {
        #expect(!text.contains("hunter2"))
    }
}

@Test func secretsCompareByContent() {
    #expect(Secret("a").equals(Secret("a")))
    #expect(!Secret("a").equals(Secret("b")))
    #expect(!Secret("a").equals(Secret("aa")))
}

@Test("secrets that begin alike differ by their last character, and by their length")
func longSecretsCompareWhole() {
    let key = "a-long-admin-key-for-tests-1234"
    #expect(Secret(key).equals(Secret(key)))
    for other in ["a-long-admin-key-for-tests-1235", key + "5", String(key.dropLast())] {
        #expect(!Secret(key).equals(Secret(other)))
    }
}

@Test("SHA-256 of abc is the one of FIPS 180-4")
func sha256() {
    let hex = Digest.sha256("abc".utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    #expect(
        hex.joined() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
}

@Test func codesHaveNoMixUps() {
    let code = RandomText.code(length: 1000)
    #expect(code.count == 1000)
    #expect(code.allSatisfy { !"01IO".contains($0) })
    #expect(RandomText.code(length: 20) != RandomText.code(length: 20))
}
