import Testing

@Suite("Sections that are named exist")
struct LinkTests {
    @Test("a link's anchor is that of a heading of the page")
    func anchorsExist() {
        let targets = Repository.documents.flatMap { document in
            LinkRules.targets(in: document.text, of: document.path)
                .map { (from: document.path, target: $0) }
        }
        #expect(targets.count > 100)
        #expect(targets.compactMap { Self.finding($0.target, namedBy: $0.from) } == [])
    }

    @Test("pages and sections that code, scripts, messages and alerts name exist")
    func namedPagesExist() {
        let files = ["Sources", "Tools", "Scripts", "Resources"].flatMap(Repository.paths)
        let targets = files.flatMap { path in
            LinkRules.namedPages(in: Repository.text(of: path)).map { (from: path, target: $0) }
        }
        #expect(targets.count > 10)
        #expect(targets.compactMap { Self.finding($0.target, namedBy: $0.from) } == [])
    }

    @Test("control: an anchor without its heading is found")
    func missingAnchorIsFound() {
        let text = """
            # A page
            ## What is *it*, and `why`?
            ```
            # no heading
            ```
            ## Stops – and starts
            [a](#what-is-it-and-why) [b](#no-heading) [c](../STYLE.md#nowhere) [d](x.md) [e](y:z#w)
            """
        let anchors = LinkRules.anchors(in: text)
        #expect(anchors == ["a-page", "what-is-it-and-why"])
        let targets = LinkRules.targets(in: text, of: "docs/page.md")
        #expect(
            targets == [
                .init(page: "docs/page.md", anchor: "what-is-it-and-why"),
                .init(page: "docs/page.md", anchor: "no-heading"),
                .init(page: "STYLE.md", anchor: "nowhere"),
            ])
        #expect(Self.finding(targets[2], namedBy: "x.md") == "x.md names STYLE.md#nowhere")
    }

    @Test("control: a page and a section that do not exist are found in code")
    func missingPageIsFound() {
        let text = #"see docs/nowhere.md, and "The names" in docs/glossary.md"#
        let targets = LinkRules.namedPages(in: text)
        #expect(
            targets.compactMap { Self.finding($0, namedBy: "x.swift") } == [
                "x.swift names docs/nowhere.md", "x.swift names docs/glossary.md#the-names",
            ])
    }

    /// What is missing; `nil`: nothing is.
    private static func finding(_ target: LinkRules.Target, namedBy path: String) -> String? {
        guard Repository.exists(target.page) else { return "\(path) names \(target.page)" }
        guard let anchor = target.anchor, target.page.hasSuffix(".md") else { return nil }
        let anchors = LinkRules.anchors(in: Repository.text(of: target.page))
        return anchors.contains(anchor) ? nil : "\(path) names \(target.page)#\(anchor)"
    }
}
