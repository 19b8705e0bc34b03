internal import Content
internal import FoundationEssentials

/// The operator's folder of adventure packs, beside those of the program.
enum PackFolder {
    /// Why a folder cannot be used: all faults of all its packs.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    private static let packsMax = 100

    /// Reads every `.json` file of the folder, in the order of their names. Those with texts belong to
    /// the pack beside them.
    static func read(_ path: String) throws(Fault) -> [PackDocument] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(PackFileName.suffix) && !PackFileName.isOfTexts($0) }
                .sorted()
        } catch {
            throw Fault(description: "a folder that can be read")
        }
        guard names.count <= packsMax else {
            throw Fault(description: "a folder of at most \(packsMax) packs")
        }
        var (documents, faults): ([PackDocument], [String]) = ([], [])
        for name in names {
            do throws(Fault) {
                documents.append(try document(path + "/" + name))
            } catch {
                faults.append("\(name): \(error)")
            }
        }
        guard faults.isEmpty else {
            throw Fault(
                description: "a folder of packs without faults:\n" + faults.joined(separator: "\n"))
        }
        return documents
    }

    private static func document(_ file: String) throws(Fault) -> PackDocument {
        guard let json = FileManager.default.contents(atPath: file) else {
            throw Fault(description: "it cannot be read")
        }
        do throws(PackFaults) {
            return try PackFiles.document(Array(json), at: file)
        } catch {
            throw Fault(description: error.faults.map(\.description).joined(separator: "; "))
        }
    }
}
