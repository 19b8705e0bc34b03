internal import JSONReader

@testable internal import Content

/// A small pack with things of its own, for tests that spoil it.
enum PackFile {
    static let json = """
        {
          "format": 1, "id": "stolen-pie", "version": 1, "kind": "quest", "level": 1, "score": 40,
          "strength": 100, "bag": 1, "cardGap": 15, "timeLimit": 1200, "orderAfter": 120,
          "lastStand": 60, "secondWind": {"after": 180, "times": 1},
          "stages": [
            {"id": "trail", "steps": 6, "pace": [15, 25],
             "scenes": {"campfire": 1, "commonLoot": 4, "foe": 4, "rareLoot": 1},
             "foes": {"magpie": 2, "slime": 1}}],
          "foes": {"magpie": {"damage": [60, 120], "health": [60, 120], "exp": 20}},
          "bosses": {"raccoon": {"health": 550, "pace": [15, 20], "damage": [120, 200],
                     "exp": 100, "lastBlowExp": 40,
                     "phases": [{"below": 100, "damage": 100, "moves": ["blow"]},
                                {"below": 30, "damage": 125, "moves": ["blow"]}]}},
          "finale": {"raccoon": 1},
          "commonLoot": {"crumb": 3, "coin": 1},
          "rareLoot": {"crown": 1},
          "texts": {
            "title": {\(all("The Stolen Pie"))},
            "pitch": {\(all("Six minutes, one pie."))},
            "begins": {\(all("Follow the crumbs!"))},
            "magpie.hits": {\(all("The magpie pecked %@."))},
            "magpie.crits": {\(all("The magpie got %@ on the nose!"))},
            "magpie.falls": {\(all("%@ chased the magpie away!"))},
            "raccoon.comes": {\(all("A raccoon! And it has the pie!"))},
            "raccoon.hits": {\(all("The raccoon threw crust at %@."))},
            "raccoon.crits": {\(all("A whole slice hit %@ in the face!"))},
            "raccoon.enraged": {\(all("It is eating the pie!"))},
            "raccoon.falls": {\(all("%@ won the pie back!"))},
            "crumb.found": {\(all("%@ found a crumb!"))}
          }
        }
        """

    private static func all(_ text: String) -> String {
        ["de", "en", "es", "fr", "ja", "zh-Hans"].map { "\"\($0)\": \"\(text)\"" }
            .joined(separator: ", ")
    }

    /// The pack with one text replaced by another.
    static func json(replacing old: String, by new: String) -> [UInt8] {
        let parts = json.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        return Array(parts.joined(separator: new).utf8)
    }

    /// What is wrong with the pack after the replacement.
    static func faults(replacing old: String, by new: String) -> [String] {
        do throws(PackFaults) {
            return try PackDocument(json: json(replacing: old, by: new)).warnings
                .map(\.description)
        } catch {
            return error.faults.map(\.description)
        }
    }
}
