/// What the fields of a pack mean, for whoever points at one in an editor. docs/reference/game.md
/// says more.
enum PackFieldMeanings {
    /// By path, as `SchemaNotes` has it.
    static let all = ofPack.merging(ofStages) { $1 }.merging(ofFoes) { $1 }

    private static let ofPack = [
        "$schema": "The address of this schema",
        "format": "The format of this file",
        "id": "The name of the pack, which no other has: 1 to 32 of a-z, 0-9 and -",
        "version": "Increases with each change of the pack's rules",
        "kind": "In training no blow takes the last 100 of a hero's health",
        "level": "The recommended level of heroes; not enforced",
        "score": "The value of a victory on a leaderboard",
        "strengthPercent": "Percent of all damage, also of storms on the way",
        "timeLimitSeconds": "When nightfall ends the adventure",
        "bag": "The most potions that each hero can bring",
        "orderAfterSeconds": "How long after a fall a standing order acts",
        "lastStandSeconds": "How long the story waits when everybody is down",
        "secondWind": "When a hero who is knocked down wakes by itself",
        "secondWind.afterSeconds": "How long after the fall",
        "secondWind.times": "How often each hero does, on one adventure",
        "cardGapSeconds": "The least time between two low-priority pushes to an activity",
        "woodsSeconds": "How long a hero strays in the woods; [60, 150] when left out",
        "tales": "The tales of the pack, for the scene \"tale\", by weight",
        "finale": "The boss at the end, by weight",
        "commonLoot": "What heroes find, by weight; what base.json lacks is the pack's own",
        "rareLoot": "What heroes find with a potion, by weight",
        "order": "The bosses of a boss rush in their order",
        "breathSeconds": "The time between the defeat of a boss and the next one",
        "breatherPermille": "The health that each standing hero gains then, of 1000",
        "refill": "The bosses, by number, whose defeat brings each hero a potion",
        "languages": "The languages that the pack is written in: each is complete",
        "texts": "What the story says; or put each language into a file beside this one",
    ]

    private static let ofStages = [
        "stages": "The parts of the way; the party starts in the first",
        "stages[].id": "The name of the stage",
        "stages[].steps": "How many steps the stage has; a fight may outlast them",
        "stages[].paceSeconds": "The time between two steps",
        "stages[].scenes": "What a step can bring, by weight",
        "stages[].foes": "The foes that it can bring, by weight",
        "stages[].next": "The next stage, or \"boss\"; when left out, the next in the list",
        "stages[].fork": "Where the way divides; players vote",
        "stages[].fork.id": "The name of the fork, for its texts",
        "stages[].fork.bold": "The stage of the bold way, or \"boss\"",
        "stages[].fork.safe": "The stage of the safe way, or \"boss\"",
        "stages[].fork.waitSeconds": "How long the party waits for its players' votes",
    ]

    private static let ofFoes = [
        "foes": "The pack's own foes",
        "foes.*.healthPermille": "A party takes 60 to 100 of it between two of the foe's blows",
        "foes.*.damagePermille": "The health that a blow takes in a party of four, of 1000",
        "foes.*.exp": "The experience of each standing hero from its defeat",
        "bosses": "The pack's own bosses",
        "bosses.*.healthPermille": "A party takes 60 to 100 of it between two of its blows",
        "bosses.*.paceSeconds": "The time between two of its blows",
        "bosses.*.damagePermille": "The health that a blow takes in a party of four, of 1000",
        "bosses.*.exp": "The experience of each hero from its defeat",
        "bosses.*.lastBlowExp": "The experience of the hero who strikes last, besides",
        "bosses.*.phases": "The parts of the fight, as the boss weakens",
        "bosses.*.phases[].belowPercent": "The percentage of its health below which it begins",
        "bosses.*.phases[].damagePercent": "Percent of the boss's damage",
        "bosses.*.phases[].moves": "What the boss does, repeated in this order",
    ]
}
