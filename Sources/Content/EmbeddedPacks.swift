package import GameLogic
internal import JSONReader

/// The packs that are built into the program: `Resources/Adventures`, by links.
package enum EmbeddedPacks {
    /// The files as they are in the folder, in the order of their names, without `base.json`.
    package static let files = [
        PackageResources.classic_json, PackageResources.forest_quest_json,
        PackageResources.kraken_tide_json, PackageResources.lost_egg_json,
        PackageResources.night_watch_json, PackageResources.stolen_pie_json,
        PackageResources.titan_rush_json, PackageResources.training_json,
    ]

    /// The packs of the files.
    package static let documents: [PackDocument] = files.map(document)

    /// The pack with this id, as it is in the folder.
    package static func file(named id: String) -> [UInt8]? {
        zip(documents, files).first { $0.0.pack.reference.id == id }?.1
    }

    /// The pack with this id.
    package static func document(named id: String) -> PackDocument? {
        documents.first { $0.pack.reference.id == id }
    }

    /// The usual adventure.
    package static let classic: Pack = documents[0].pack

    /// What every pack can use.
    static let base = tree(PackageResources.base_json)

    // A built-in file is valid, or its tests fail: nobody can fix it at run
    // time.
    private static func document(_ json: [UInt8]) -> PackDocument {
        do throws(PackFaults) {
            return try PackDocument(json: json)
        } catch {
            preconditionFailure("A pack of this program is wrong: \(error)")
        }
    }

    private static func tree(_ json: [UInt8]) -> JSONValue {
        do throws(PackFaults) {
            return try PackDocument.parse(json)
        } catch {
            preconditionFailure("base.json is wrong: \(error)")
        }
    }
}
