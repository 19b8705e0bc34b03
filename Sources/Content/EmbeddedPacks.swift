package import GameLogic
internal import JSONReader
internal import PushPolicy

/// The packs that are built into the program: the files of `Resources/Adventures`, embedded by the
/// plugin EmbedFiles.
package enum EmbeddedPacks {
    /// The files as they are in the folder, by their names.
    package static let files: [String: [UInt8]] = Dictionary(
        uniqueKeysWithValues: embeddedFiles.map { ($0.path, Array($0.text.utf8)) })

    /// The packs of the files, in the order of their names.
    package static let documents: [PackDocument] = files.keys.sorted().compactMap { name in
        PackFileName.isOfTexts(name) || name == base ? nil : document(in: name)
    }

    package static let ids: [String] = documents.map(\.pack.reference.id)

    /// The pack with this id in one file, with the texts in all languages.
    package static func file(named id: String) -> [UInt8]? {
        document(named: id) == nil ? nil : tree(of: id + PackFileName.suffix).readable
    }

    /// The pack with this id.
    package static func document(named id: String) -> PackDocument? {
        documents.first { $0.pack.reference.id == id }
    }

    /// The usual adventure.
    package static let classic: Pack = documents[0].pack

    private static let base = "base.json"

    /// The rules of what every pack can use.
    static let baseRules = tree(of: base).without(PackDocument.textsKey)

    static let baseTexts: PackTexts = {
        let notes = Node.Notes()
        let texts = tree(of: base)[PackDocument.textsKey] ?? .object([])
        return TextReader.texts(of: Node(path: "", value: texts, notes: notes))
    }()

    // A built-in file is valid, or its tests fail: nobody can fix it at run time.
    private static func document(in name: String) -> PackDocument {
        do throws(PackFaults) {
            return try PackDocument(tree(of: name), base: baseRules, checking: .rules)
        } catch {
            preconditionFailure("\(name) of this program is wrong: \(error)")
        }
    }

    /// The rules and the texts in a file a language, as one.
    private static func tree(of name: String) -> JSONValue {
        var texts: [Language: [UInt8]] = [:]
        for language in Language.allCases {
            texts[language] = files[PackFileName.ofTexts(in: language, beside: name)]
        }
        do throws(PackFaults) {
            return try PackDocument.tree(files[name] ?? [], texts)
        } catch {
            preconditionFailure("\(name) of this program is wrong: \(error)")
        }
    }
}
