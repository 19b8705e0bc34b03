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
            lint reports every error in packs, and plays 1,000 adventures of each pack, except a \
            world boss's. play prints an adventure with the pushes to each phone: their priority, \
            and 🔔 with an alert. \
            catalog prints a pack's texts as a String Catalog or, with --from, the pack with the \
            texts of one. join prints a pack in one file, as the API takes it. Exits with 1 if a pack has faults or warnings, and with 66 if a file \
            cannot be read.
            """,
        operands: "lint FILE … | play FILE | catalog FILE | join FILE",
        [
            Option("seed", "NUMBER", "For play: the seed of the dice", default: "1"),
            Option("heroes", "NUMBER", "For play: the number of heroes, 1 to 8", default: "4"),
            Option(
                "language", "TAG", "For play: the language of the events and the cards",
                default: "en"),
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
            case ("catalog", 1): return catalog(files[0], from: values.text("from"))
            case ("join", 1): return join(files[0])
            default:
                Terminal.complain(
                    "rangers content: Give an operation: lint FILE …, play FILE, catalog FILE or "
                        + "join FILE.")
                return usage
            }
        }
    }

    private static func lint(_ files: [String]) -> Int32 {
        var code: Int32 = 0
        for file in files {
            guard let json = OptionFile.bytes(file) else { return unreadable(file) }
            let faults: [PackFault]
            do {
                let document = try PackFiles.document(json, at: file)
                faults = try document.warnings + PackTrial(of: document).warnings()
            } catch let error as PackFaults {
                faults = error.faults
            } catch {
                faults = [PackFault("stories", "cannot be played: \(error)")]
            }
            for fault in faults { Terminal.print("\(file): \(fault)\n") }
            if !faults.isEmpty { code = 1 }
        }
        return code
    }

    private static func play(_ file: String, _ values: OptionValues) throws(OptionsError) -> Int32 {
        let seed = UInt64(try values.integer("seed", in: 0...Int64.max) ?? 1)
        let counts = Rehearsal.heroCounts
        let heroes = try values.integer(
            "heroes", in: Int64(counts.lowerBound)...Int64(counts.upperBound))
        guard let language = Language(tag: try values.required("language")) else {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw values.invalid("language", expected: "one of \(known)")
        }
        guard let json = OptionFile.bytes(file) else { return unreadable(file) }
        do {
            let lines = try Rehearsal.lines(
                of: PackFiles.document(json, at: file), seed: seed, heroes: Int(heroes ?? 4),
                in: language)
            for line in lines { Terminal.print(line + "\n") }
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
