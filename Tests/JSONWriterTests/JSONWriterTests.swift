import Foundation
import JSONWriter
import Testing

@Suite struct JSONWriterTests {
    /// What `write` wrote.
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// What Foundation reads back.
    private func read(_ write: (inout JSONWriter) -> Void) throws -> NSObject? {
        let data = Data(written(write).utf8)
        return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? NSObject
    }

    @Test("a key that the program knows is written as any other")
    func fixedKey() {
        func json(_ key: (inout JSONWriter, Int) -> Void) -> String {
            written { json in
                json.beginObject()
                for number in 0..<2 {
                    key(&json, number)
                    json.value(Int64(number))
                }
                json.endObject()
            }
        }
        let (first, second): (StaticString, StaticString) = ("loc-key", "a")
        let fixed = json { $0.key($1 == 0 ? first : second) }
        #expect(fixed == #"{"loc-key":0,"a":1}"#)
        #expect(fixed == json { $0.key(named: $1 == 0 ? "loc-key" : "a") })
    }

    @Test("whole numbers of every length, with their signs", arguments: 0..<19)
    func wholeNumbers(digits: Int) {
        let power = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
        for value in [power, power - 1, -power, 1 - power, .min, .max] {
            #expect(written { $0.value(value) } == "\(value)")
        }
    }

    @Test("fields are parted by commas, in the order in which they are written")
    func fields() {
        let json = written { json in
            json.beginObject()
            json.field("name", "Power Panda")
            json.field("level", 3)
            json.field("health", 0.79)
            json.field("isDown", false)
            json.key("party")
            json.null()
            json.endObject()
        }
        #expect(
            json == #"{"name":"Power Panda","level":3,"health":0.79,"isDown":false,"party":null}"#)
    }

    @Test("nesting needs no commas from the caller")
    func nesting() {
        let json = written { json in
            json.beginObject()
            json.object("aps") { $0.field("event", "update") }
            json.array("members", [1, 2]) { json, number in
                json.beginArray()
                json.value(number)
                json.value("x")
                json.endArray()
            }
            json.array("none", [Int]()) { $0.value($1) }
            json.key("raw")
            json.raw(Array("[1]".utf8))
            json.field("last", true)
            json.endObject()
        }
        #expect(
            json
                == #"{"aps":{"event":"update"},"members":[[1,"x"],[2,"x"]],"none":[],"raw":[1],"last":true}"#
        )
    }

    @Test("an empty object and an empty array have nothing in them")
    func empty() {
        let json = written { json in
            json.beginArray()
            json.beginObject()
            json.endObject()
            json.beginArray()
            json.endArray()
            json.endArray()
        }
        #expect(json == "[{},[]]")
    }

    @Test("whole numbers are written with all of their digits")
    func allDigits() {
        for number in [0, 7, 10, 1_685_952_000, -1, .min, .max] as [Int64] {
            #expect(written { $0.value(number) } == "\(number)")
        }
        #expect(written { $0.value(UInt64.max) } == "\(UInt64.max)")
    }

    @Test("a number is written as Swift describes it, whether it is whole thousandths or not")
    func fractions() {
        for thousandth in 0...20_000 {
            let number = Double(thousandth) / 1_000
            #expect(written { $0.value(number) } == "\(number)")
            #expect(written { $0.value(number.nextUp) } == "\(number.nextUp)")
        }
        for number in [-0.0, -0.5, 999_999.999, 1_000_000.5, 1e-9, 0.1 + 0.2, .pi, 1e300] {
            #expect(written { $0.value(number) } == "\(number)")
        }
    }

    @Test("an escape is found wherever it is in a text")
    func escapesAnywhere() {
        for length in 1...24 {
            for place in 0..<length {
                var text = Array(repeating: Character("é"), count: length)
                text[place] = "\""
                let expected = String(text).replacing("\"", with: #"\""#)
                #expect(written { $0.value(String(text)) } == "\"\(expected)\"")
            }
        }
    }

    @Test(
        "what JSON forbids in a string is escaped",
        arguments: [
            ("\"", #""\"""#), ("\\", #""\\""#), ("\n\r\t", #""\n\r\t""#), ("\0", #""\u0000""#),
            ("\u{1f}", #""\u001f""#), ("\u{8}", #""\u0008""#), ("/", #""/""#),
            ("\u{7f}", "\"\u{7f}\""), ("ヒーロー🐼", #""ヒーロー🐼""#), ("", #""""#),
            ("\u{2028}", "\"\u{2028}\""),
        ])
    func escapes(_ text: String, _ expected: String) {
        #expect(written { $0.value(text) } == expected)
    }

    @Test("keys are escaped as values are")
    func keys() {
        let json = written { json in
            json.beginObject()
            json.key(named: "a\"\n")
            json.value(1)
            json.endObject()
        }
        #expect(json == #"{"a\"\n":1}"#)
    }

    @Test("Foundation reads any text back", arguments: 0..<20)
    func anyText(_ seed: UInt64) throws {
        var random = TestRandom(state: seed)
        for _ in 0..<50 {
            let text = random.text()
            let parsed = try read { $0.value(text) }
            #expect(parsed as? String == text)
        }
    }

    @Test("Foundation reads any whole number back")
    func wholeNumbers() throws {
        for number in [0, 1, -1, Int.max, Int.min, 1 << 53] {
            let parsed = try read { $0.value(number) }
            #expect((parsed as? NSNumber)?.int64Value == Int64(number))
        }
        #expect(written { $0.value(UInt64.max) } == "18446744073709551615")
        #expect(written { $0.value(Int8(-128)) } == "-128")
    }

    @Test("Foundation reads any fraction back as the same number", arguments: 0..<20)
    func fractions(_ seed: UInt64) throws {
        var random = TestRandom(state: seed)
        for _ in 0..<50 {
            let number = random.number()
            // Not JSONSerialization, which is off by a digit now and then.
            let json = Data(written { $0.value(number) }.utf8)
            #expect(try JSONDecoder().decode(Double.self, from: json) == number)
        }
    }

    @Test(
        "a fraction has the shortest digits",
        arguments: [
            (0.941, "0.941"), (0.0, "0.0"), (0.1, "0.1"), (100.0, "100.0"), (-0.5, "-0.5"),
            (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
        ])
    func shortest(_ number: Double, _ expected: String) {
        #expect(written { $0.value(number) } == expected)
    }
}
