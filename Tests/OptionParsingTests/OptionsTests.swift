import OptionParsing
import Testing

@Suite struct OptionsTests {
    private let options = Options(
        command: "rangers test", summary: "Tests.",
        [
            Option("listen", "HOST:PORT", "Where to listen", default: "127.0.0.1:8080"),
            Option("apns-host", "HOST", "APNs or a simulator"),
            Option("apns-port", "PORT", "Its port", default: "443"),
            Option("token", "HEX", "A token", kind: .list, visibility: .secret),
            .toggle("strict", "Be strict"),
        ])

    private func parse(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> OptionValues {
        try options.parse(arguments, environment: environment)
    }

    @Test("a flag beats its variable, which beats the default")
    func precedence() throws {
        let variable = ["RANGERS_APNS_PORT": "2"]
        #expect(try parse([]).text("apns-port") == "443")
        #expect(try parse([], environment: variable).text("apns-port") == "2")
        #expect(try parse(["--apns-port", "1"], environment: variable).text("apns-port") == "1")
        #expect(try !parse([], environment: variable).isTyped("apns-port"))
        #expect(try parse(["--apns-port", "1"], environment: variable).isTyped("apns-port"))
    }

    @Test("a value may follow after a space or an equals sign")
    func equalsSign() throws {
        #expect(try parse(["--apns-host=a=b"]).text("apns-host") == "a=b")
        #expect(try parse(["--apns-host", "-1"]).text("apns-host") == "-1")
    }

    @Test("a list's flag is repeatable, and its variable has commas")
    func lists() throws {
        #expect(try parse(["--token", "a", "--token=b"]).texts("token") == ["a", "b"])
        let values = try parse([], environment: ["RANGERS_TOKEN": "c,d"])
        #expect(values.texts("token") == ["c", "d"])
    }

    @Test("a toggle is off unless given")
    func toggles() throws {
        #expect(try !parse([]).isOn("strict"))
        #expect(try parse(["--strict"]).isOn("strict"))
        #expect(try !parse([], environment: ["RANGERS_STRICT": "0"]).isOn("strict"))
    }

    @Test(
        "a wrong command line gives a message with a remedy",
        arguments: [
            (["--apns-hsot", "x"], "There is no option --apns-hsot; did you mean --apns-host?"),
            (["--bananas"], "There is no option --bananas; rangers test --help lists all of them."),
            (["--apns-host"], "--apns-host needs a value: --apns-host HOST."),
            (["--apns-host", "--strict"], "--apns-host needs a value: --apns-host HOST."),
            (["--apns-port=1", "--apns-port=2"], "--apns-port is given twice; give it once."),
            (["word"], "'word' is not an option; options begin with --."),
            (["--strict=maybe"], "--strict is 'maybe', but must be true or false."),
        ])
    func sentences(arguments: [String], sentence: String) {
        let error = #expect(throws: OptionsError.self) { try parse(arguments) }
        #expect(error?.description == sentence)
    }

    @Test("a missing value names its flag and its variable")
    func missing() throws {
        let values = try parse([])
        let error = #expect(throws: OptionsError.self) { try values.required("apns-host") }
        #expect(
            error?.description
                == "--apns-host is missing (APNs or a simulator); give it, or set RANGERS_APNS_HOST."
        )
    }

    @Test(
        "a typing error is distinguished from another word",
        arguments: [("hlep", "help"), ("serv", "serve"), ("dance", nil), ("", nil)]
            as [(String, String?)])
    func nearest(word: String, known: String?) {
        #expect(Options.nearest(to: word, among: ["help", "serve", "channels"]) == known)
    }

    @Test("all missing options are reported together")
    func allMissing() throws {
        let options = Options(
            command: "rangers x", summary: "",
            [Option("a", "A", "First"), Option("b", "B", "Second"), Option("c", "C", "Third")])
        let some = try options.parse(["--b=1"], environment: [:])
        #expect(
            throws: OptionsError.allMissing(flags: ["--a", "--c"], command: "rangers x")
        ) { try some.requireAll(["a", "b", "c"]) }
        let one = try options.parse(["--b=1"], environment: ["RANGERS_C": "3"])
        let error = #expect(throws: OptionsError.self) { try one.requireAll(["a", "b", "c"]) }
        #expect(error?.description == "--a is missing (First); give it, or set RANGERS_A.")
        let all = try options.parse(["--b=1", "--a=2"], environment: ["RANGERS_C": "3"])
        #expect(throws: Never.self) { try all.requireAll(["a", "b", "c"]) }
    }

    @Test("a wrong value names the variable that it came from")
    func invalidVariable() throws {
        let values = try parse([], environment: ["RANGERS_APNS_PORT": "99999"])
        let error = #expect(throws: OptionsError.self) {
            try values.integer("apns-port", in: 1...65_535)
        }
        #expect(
            error?.description
                == "RANGERS_APNS_PORT is '99999', but must be a whole number from 1 to 65535.")
    }

    @Test("an option may have a variable of another name")
    func ownVariable() throws {
        let options = Options(
            command: "rangers test", summary: "Tests.",
            [Option("data", "DIR", "A folder", variable: "RANGERS_OTHER_DATA")])
        let environment = ["RANGERS_DATA": "a", "RANGERS_OTHER_DATA": "b"]
        #expect(try options.parse([], environment: environment).text("data") == "b")
    }

    @Test("a secret value never shows in a message")
    func secrets() throws {
        let error = try parse(["--token", "abcdef"]).invalid("token", expected: "hex")
        #expect(!error.description.contains("abcdef"))
    }

    @Test("an address is a host and a port")
    func addresses() throws {
        let plain = try parse(["--listen", "localhost:81"]).address("listen")
        #expect(plain.host == "localhost" && plain.port == 81)
        let bracketed = try parse(["--listen", "[::1]:82"]).address("listen")
        #expect(bracketed.host == "::1" && bracketed.port == 82)
    }

    @Test("an invalid address is refused", arguments: ["", ":1", "localhost", "a:99999", "::1:80"])
    func badAddresses(text: String) throws {
        let values = try parse(["--listen=\(text)"])
        #expect(throws: OptionsError.self) { try values.address("listen") }
    }

    @Test("the help text lists every option with its default and variable")
    func help() {
        for option in options.options {
            #expect(options.help.contains(option.flag))
            #expect(options.help.contains(option.variable))
        }
        #expect(options.help.contains("default: 127.0.0.1:8080"))
    }

    @Test("help is wanted before -- only")
    func helpWanted() {
        #expect(Options.wantHelp(["--strict", "-h"]))
        #expect(!Options.wantHelp(["--", "--help"]))
    }
}
