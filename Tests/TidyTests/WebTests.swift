import Testing

@Suite("Pages stay small, and need no exception from their security policy")
struct WebTests {
    @Test("the files of the pages keep the rules")
    func pagesKeepTheRules() {
        let paths = Repository.paths(under: WebRules.folder)
        #expect(paths.count > 3)
        #expect(paths.flatMap { WebRules.findings(in: $0, Repository.text(of: $0)) } == [])
    }

    @Test(
        "control: what the policy forbids is found",
        arguments: [
            "e.innerHTML = name", "e.outerHTML = ''", "e.insertAdjacentHTML('x', y)",
            "document.write(x)", "eval(x)", "new Function('x')", "fetch('http://a.example')",
            "import 'https://a.example/b.js'", "h('p style=\"color: red\"')",
            "localStorage.key = x", "document.cookie", "let text = `one",
        ])
    func forbiddenIsFound(line: String) {
        #expect(WebRules.findings(in: "a.js", "let a = 1\n\(line)\n").count == 1)
    }

    @Test(
        "control: inline scripts and styles are found in HTML",
        arguments: [
            "<script>a()</script>", "<script type=\"module\">", "<p onclick=\"a()\">",
            "<style>p { }</style>",
        ])
    func inlineIsFound(line: String) {
        #expect(WebRules.findings(in: "a.html", line + "\n").count == 1)
    }

    @Test("control: what only looks like those is accepted")
    func othersAreAccepted() {
        let html = """
            <script type="module" src="app.js"></script>
            <svg xmlns="http://www.w3.org/2000/svg"></svg>
            """
        #expect(WebRules.findings(in: "a.html", html) == [])
        #expect(WebRules.findings(in: "a.js", "evaluate(style = 1)\n") == [])
    }

    @Test(
        "control: a long function is found, however it is written",
        arguments: [
            "function long() {", "export async function long(a, b) {", "const long = (a) => {",
            "    async long(a) {", "    #long() {", "    get long() {",
        ])
    func longFunctionsAreFound(head: String) {
        let indentation = head.prefix { $0 == " " }
        let body = String(repeating: "\(indentation)    if (a) {\n\(indentation)    }\n", count: 30)
        let text = "\(head)\n\(body)\(indentation)}\n"
        #expect(WebRules.findings(in: "a.js", text) == ["a.js:1 is a function of 62 lines"])
        #expect(WebRules.findings(in: "a.js", text.replacing(body, with: "")) == [])
    }

    @Test("control: a long file is found, and a long block is no function")
    func longFilesAreFound() {
        let block = "if (a) {\n" + String(repeating: "    b()\n", count: 290) + "}\n"
        #expect(WebRules.findings(in: "a.js", block) == [])
        #expect(WebRules.findings(in: "a.css", block + block).count == 1)
    }
}
