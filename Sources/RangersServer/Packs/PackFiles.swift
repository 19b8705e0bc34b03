package import Content
internal import FoundationEssentials
package import PushPolicy

/// A pack's file, and the texts in a file a language beside it.
package enum PackFiles {
    /// Reads a pack with the texts beside its file.
    package static func document(
        _ json: [UInt8], at path: String
    ) throws(PackFaults) -> PackDocument {
        try PackDocument(json: json, texts: texts(beside: path))
    }

    /// Returns the texts that lie beside a pack's file.
    package static func texts(beside path: String) -> [Language: [UInt8]] {
        var texts: [Language: [UInt8]] = [:]
        for language in Language.allCases {
            let file = PackFileName.ofTexts(in: language, beside: path)
            texts[language] = FileManager.default.contents(atPath: file).map { Array($0) }
        }
        return texts
    }
}
