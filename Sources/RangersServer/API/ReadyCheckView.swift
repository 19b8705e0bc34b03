internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// A party's ready check, and the heroes who have stayed at the inn, as the API shows them.
struct ReadyCheckView {
    static let schema = JSONSchema.named(
        "ReadyCheck",
        .fields([
            "ask": .whole, "pack": .text, "difficulty": .choice(Difficulty.allCases.map(\.name)),
            "startAnyway": .boolean, "button": .text, "endsAt": .time,
            "yes": .list(.text), "no": .list(.text),
        ]))

    static let innSchema = JSONSchema.named(
        "Inn", .fields(["heroes": .list(HeroView.schema), "mayFollow": .boolean]))

    private let party: PartyView

    init(of party: PartyView) { self.party = party }

    /// Writes the fields that the party has at the moment.
    func write(to json: inout JSONWriter) {
        if let check = party.stored.party.readyCheck { write(check, to: &json) }
        let inn = party.stored.party.inn
        if !inn.isEmpty { write(inn: inn, to: &json) }
    }

    private func write(_ check: ReadyCheck, to json: inout JSONWriter) {
        json.object("readyCheck") { json in
            json.field("ask", check.id)
            json.field("pack", check.plan.pack.reference.id)
            json.field("difficulty", check.plan.difficulty.name)
            json.field("startAnyway", check.plan.quorum == .anybody)
            json.field("button", party.words.text(AskTexts.ready, in: party.language))
            json.field("endsAt", check.plan.endsAt + party.wallOffsets.newest)
            json.array("yes", check.yes) { $0.value($1.rawValue) }
            json.array("no", check.no) { $0.value($1.rawValue) }
        }
    }

    private func write(inn: [Hero], to json: inout JSONWriter) {
        json.object("inn") { json in
            json.array("heroes", inn) { HeroView.write(party.names.hero($1), to: &$0) }
            json.field("mayFollow", party.stored.party.adventure?.mayBeFollowed ?? false)
        }
    }
}
