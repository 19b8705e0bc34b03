internal import Testing

@testable internal import JSONReader

@Suite("JSON is read as RFC 8259 says") struct JSONValueTests {
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
        "a value knows how long its JSON is without spaces and avoidable escapes",
        arguments: [
            ("null", 4), (" true", 4), ("false", 5), ("-12", 3), ("0.50", 3), ("[ ]", 2),
            ("{ }", 2),
            (#""\u00e9\/""#, 5), (#""\u000a\u0001\"\\""#, 14), (#"[1, "a" ,null]"#, 12),
            (#"{"a" : "ü", "b":{"c":[]}}"#, 23),
        ])
    func byteCount(text: String, count: Int) {
        #expect(JSONValue(Array(text.utf8))?.byteCount == count)
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

    @Test(
        "the byte where a text stops being JSON is told, and what should stand there",
        arguments: [
            ("", 0, "a value"), (#"{"a" 1}"#, 5, "a colon"), (#"{"a":1 "b":2}"#, 7, "a comma or }"),
            ("[1 2]", 3, "a comma or ]"), ("{a:1}", 1, "a key in quotation marks"),
            ("1 2", 2, "the end, as the value is complete"),
            (#"["\x"]"#, 2, "an escape that JSON knows"),
            (#"{"a":tru}"#, 5, "true, false or null"), ("[1.x]", 3, "a digit"),
            (#""\ud83d""#, 1, "a character's code in hex digits"),
            (#""abc"#, 4, "the end of the text that begins at byte 0"),
        ])
    func offset(text: String, offset: Int, expected: String) {
        #expect(throws: JSONError(offset: offset, expected: expected)) {
            try JSONValue(parsing: Array(text.utf8))
        }
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
