internal import JSONReader
internal import PushPolicy

@testable internal import Content

/// A small pack with things of its own, for tests that spoil it.
enum PackFile {
    private static let rules = """
          "format": 1, "id": "stolen-pie", "version": 1, "kind": "quest", "level": 1, "score": 40,
          "strengthPercent": 100, "bag": 1, "cardGapSeconds": 15, "timeLimitSeconds": 1200,
          "orderAfterSeconds": 120, "lastStandSeconds": 60,
          "secondWind": {"afterSeconds": 180, "times": 1},
          "stages": [
            {"id": "trail", "steps": 6, "paceSeconds": [15, 25],
             "scenes": {"campfire": 1, "commonLoot": 4, "foe": 4, "rareLoot": 1},
             "foes": {"magpie": 2, "slime": 1}}],
          "foes": {
            "magpie": {"damagePermille": [60, 120], "healthPermille": [60, 120], "exp": 20}},
          "bosses": {
            "raccoon": {
              "healthPermille": 550, "paceSeconds": [15, 20], "damagePermille": [120, 200],
              "exp": 100, "lastBlowExp": 40,
              "phases": [{"belowPercent": 100, "damagePercent": 100, "moves": ["blow"]},
                         {"belowPercent": 30, "damagePercent": 125, "moves": ["blow"]}]}},
          "finale": {"raccoon": 1},
          "commonLoot": {"crumb": 3, "coin": 1},
          "rareLoot": {"crown": 1}
        """

    static let texts = [
        ("title", "The Stolen Pie"), ("pitch", "Six minutes, one pie."),
        ("begins", "Follow the crumbs!"), ("magpie.comes", "A magpie!"),
        ("magpie.hits", "The magpie pecked %@."),
        ("magpie.crits", "The magpie got %@ on the nose!"),
        ("magpie.falls", "%@ chased the magpie away!"), ("magpie.leaves", "The magpie flew off."),
        ("raccoon.comes", "A raccoon! And it has the pie!"),
        ("raccoon.hits", "The raccoon threw crust at %@."),
        ("raccoon.crits", "A whole slice hit %@ in the face!"),
        ("raccoon.enraged", "It is eating the pie!"),
        ("raccoon.falls", "%@ won the pie back!"), ("crumb.found", "%@ found a crumb!"),
        ("ends.won", "%@ is full of pie!"), ("ends.won.down", "They kept a slice for %@."),
        ("ends.won.away", "%@ smelled pie from afar."), ("ends.lost", "%@ dreams of pie."),
        ("ends.night", "%@ went to bed without pie."), ("ends.fled", "%@ ran. No pie today."),
    ]

    /// In one file, with the texts in every language.
    static let json = file(
        texts: texts.map { key, text in
            let all = ["de", "en", "es", "fr", "ja", "zh-Hans"].map { "\"\($0)\": \"\(text)\"" }
            return "    \"\(key)\": {\(all.joined(separator: ", "))}"
        }.joined(separator: ",\n"))

    private static func file(texts: String) -> String {
        "{\n\(rules),\n  \"texts\": {\n\(texts)\n  }\n}\n"
    }

    /// The rules alone.
    static let rulesFile = "{\n\(rules)\n}\n"

    /// The texts alone, in one language.
    static let textsFile =
        "{\n" + texts.map { "  \"\($0)\": \"\($1)\"" }.joined(separator: ",\n") + "\n}\n"

    /// The pack with one text replaced by another.
    static func json(replacing old: String, by new: String) -> [UInt8] {
        let parts = json.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        return Array(parts.joined(separator: new).utf8)
    }

    /// What is wrong with the pack after the replacement.
    static func faults(replacing old: String, by new: String) -> [String] {
        faults(of: json(replacing: old, by: new))
    }

    /// What is wrong with a pack.
    static func faults(of json: [UInt8], texts: [Language: [UInt8]] = [:]) -> [String] {
        do throws(PackFaults) {
            return try PackDocument(json: json, texts: texts).warnings.map(\.description)
        } catch {
            return error.faults.map(\.description)
        }
    }
}
