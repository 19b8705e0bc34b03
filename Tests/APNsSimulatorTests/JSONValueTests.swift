import Testing

@testable import APNsSimulator

@Suite struct JSONValueTests {
    @Test(
        "RFC 8259: JSON is read as it says",
        arguments: [
            ("null", .null), (" true ", .truth(true)), ("-12", .integer(-12)),
            ("0.5e1", .number(5)), (#""\u00e9\ud83d\ude00\n""#, .text("é😀\n")),
            ("[1, [],{}]", .array([.integer(1), .array([]), .object([])])),
            (#"{"a" : "ü"}"#, .object([JSONValue.Field(name: "a", value: .text("ü"))])),
        ] as [(String, JSONValue)])
    func read(text: String, value: JSONValue) {
        #expect(JSONValue(Array(text.utf8)) == value)
    }

    @Test(
        "what is not JSON is not read",
        arguments: [
            "", "nul", "01", "1.", ".5", "1e", "+1", "[1,]", "{,}", #"{"a":}"#, #"{"a" 1}"#,
            #""a"#, #""\x""#, #""\ud83d""#, "\"\n\"", "1 2", "{a:1}", "1e999",
        ])
    func refused(text: String) {
        #expect(JSONValue(Array(text.utf8)) == nil)
    }

    @Test("bytes that are no UTF-8 are not read")
    func invalidUTF8() {
        #expect(JSONValue([0x22, 0xFF, 0x22]) == nil)
    }

    @Test("nesting has a limit")
    func depth() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(JSONValue(Array(deep.utf8)) == nil)
    }

    @Test("of a key that comes twice the last one counts")
    func twice() {
        #expect(JSONValue(Array(#"{"a":1,"a":2}"#.utf8))?["a"] == .integer(2))
    }
}
