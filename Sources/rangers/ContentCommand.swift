internal import Content
internal import OptionParsing
internal import PushPolicy
internal import RangersServer

/// `rangers content`: adventure packs, for their designers.
enum ContentCommand {
    static let subcommand = Subcommand(
        "content", "Check adventure packs, play their stories, translate their texts", run: run)

    private static let options = Options(
        command: "rangers content",
        summary: """
            Texts may lie in a file a language beside a pack's: FILE.json, FILE.de.json. \
            lint reports every error in packs, errors first, plays 1,000 adventures of each in \
            which nobody acts, and prints how long they are, how many parties win, and the pushes \
            to each phone. play prints an adventure with the pushes to each phone: their priority, \
            the button of a question, and 🔔 with an alert; then the last words of each card. \
            balance prints how often parties win whose players sleep or act. \
            catalog prints a pack's texts as a String Catalog or, with --from, the pack with the \
            texts of one. join prints a pack in one file, as the API takes it. schema prints the \
            JSON Schema of packs, for editors. Exits with 1 if a pack has faults or warnings, and \
            with 66 if a file cannot be read.
            """,
        operands:
            "lint FILE … | play FILE | balance FILE | catalog FILE | join FILE | schema",
        [
            Option("seed", "NUMBER", "For play: the seed of the dice", default: "1"),
            Option(
                "heroes", "NUMBER",
                "The number of heroes, 1 to 8: for play, 4 if left out; for balance, 1, 2, 4 and 8"),
            Option(
                "language", "TAG", "For play: the language of the events and the cards",
                default: "en"),
            Option("adventures", "NUMBER", "For balance: adventures per line", default: "400"),
            Option(
                "difficulty", "NAME",
                "For balance: \(BalanceTable.difficulties.joined(separator: ", "))",
                default: "normal"),
            Option("from", "FILE", "For catalog: the String Catalog to import texts from"),
        ])

    // From `sysexits.h`: a wrong command line, and an unreadable input file.
    private static let usage: Int32 = 64
    private static let noInput: Int32 = 66

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let files = Array(values.operands.dropFirst())
            switch (values.operands.first, files.count) {
            case ("lint", 1...): return lint(files)
            case ("play", 1): return try play(files[0], values)
            case ("balance", 1): return try balance(files[0], values)
            case ("catalog", 1): return catalog(files[0], from: values.text("from"))
            case ("join", 1): return join(files[0])
            case ("schema", 0):
                Terminal.print(String(decoding: PackSchema.file, as: UTF8.self))
                return 0
            default:
                Terminal.complain(
                    "rangers content: Give an operation: lint FILE …, play FILE, balance FILE, "
                        + "catalog FILE, join FILE or schema.")
                return usage
            }
        }
    }

    /// A file of texts stands for its pack, so that all files of a folder can be named.
    private static func lint(_ files: [String]) -> Int32 {
        var (code, seen): (Int32, Set<String>) = (0, [])
        for file in files.map(PackFileName.ofRules) where seen.insert(file).inserted {
            guard let json = OptionFile.bytes(file) else { return unreadable(file) }
            let report = PackReport(of: json, PackFiles.texts(beside: file), at: file)
            for line in report.lines { Terminal.print(line + "\n") }
            if !report.isClean { code = 1 }
        }
        return code
    }

    private static func heroes(_ values: OptionValues) throws(OptionsError) -> Int? {
        let counts = Rehearsal.heroCounts
        return try values.integer(
            "heroes", in: Int64(counts.lowerBound)...Int64(counts.upperBound)
        ).map { Int($0) }
    }

    private static func play(_ file: String, _ values: OptionValues) throws(OptionsError) -> Int32 {
        let seed = UInt64(try values.integer("seed", in: 0...Int64.max) ?? 1)
        let heroes = try heroes(values) ?? 4
        let language = Language(tag: try values.required("language"))
        guard let json = OptionFile.bytes(file) else { return unreadable(file) }
        do {
            let document = try PackFiles.document(json, at: file)
            guard let language, document.texts.languages.contains(language) else {
                let known = document.texts.languages.map(\.rawValue).joined(separator: ", ")
                throw values.invalid("language", expected: "one of the pack's: \(known)")
            }
            let lines = try Rehearsal.lines(of: document, seed: seed, heroes: heroes, in: language)
            for line in lines { Terminal.print(line + "\n") }
            return 0
        } catch let error as OptionsError {
            throw error
        } catch {
            Terminal.complain("\(error)")
            return 1
        }
    }

    private static func balance(
        _ file: String, _ values: OptionValues
    ) throws(OptionsError) -> Int32 {
        let heroes = try heroes(values)
        let adventures = try values.integer("adventures", in: 1...100_000) ?? 400
        let difficulty = try values.required("difficulty")
        guard BalanceTable.difficulties.contains(difficulty) else {
            throw values.invalid(
                "difficulty",
                expected: "one of \(BalanceTable.difficulties.joined(separator: ", "))")
        }
        guard let json = OptionFile.bytes(file) else { return unreadable(file) }
        do throws(PackFaults) {
            let table = BalanceTable(
                of: try PackFiles.document(json, at: file), difficulty: difficulty,
                heroes: heroes, adventures: Int(adventures))
            table?.tell { Terminal.print($0 + "\n") }
            return 0
        } catch {
            Terminal.complain("\(error)")
            return 1
        }
    }

    private static func catalog(_ file: String, from strings: String?) -> Int32 {
        guard let json = OptionFile.bytes(file) else { return unreadable(file) }
        do throws(PackFaults) {
            guard let strings else {
                let catalog = PackStrings.catalog(of: try PackFiles.document(json, at: file))
                Terminal.print(String(decoding: catalog, as: UTF8.self))
                return 0
            }
            guard let catalog = OptionFile.bytes(strings) else { return unreadable(strings) }
            let joined = try PackDocument.joined(json, PackFiles.texts(beside: file))
            let pack = try PackStrings.file(joined, with: catalog)
            _ = try PackDocument(json: pack)
            Terminal.print(String(decoding: pack, as: UTF8.self))
            return 0
        } catch {
            Terminal.complain("\(error)")
            return 1
        }
    }

    private static func join(_ file: String) -> Int32 {
        guard let json = OptionFile.bytes(file) else { return unreadable(file) }
        do throws(PackFaults) {
            let joined = try PackDocument.joined(json, PackFiles.texts(beside: file))
            Terminal.print(String(decoding: joined, as: UTF8.self))
            return 0
        } catch {
            Terminal.complain("\(error)")
            return 1
        }
    }

    private static func unreadable(_ file: String) -> Int32 {
        Terminal.complain("rangers content: \(file) cannot be read")
        return noInput
    }
}
