/// What a hero does while its player sleeps. Each order about potions works once an adventure.
package struct StandingOrders: Hashable, Sendable {
    package var whenDown = WhenDown.askThenDrink
    package var whenFriendDown = WhenFriendDown.askThenGive
    package var votes = Votes.silent
    package var setOut = SetOut.ask

    package init(
        whenDown: WhenDown = .askThenDrink, whenFriendDown: WhenFriendDown = .askThenGive,
        votes: Votes = .silent, setOut: SetOut = .ask
    ) {
        self.whenDown = whenDown
        self.whenFriendDown = whenFriendDown
        self.votes = votes
        self.setOut = setOut
    }

    package enum WhenDown: String, CaseIterable, Hashable, Sendable {
        /// Only the player decides.
        case ask
        /// The hero drinks once the player has not answered for a while.
        case askThenDrink
        /// The hero drinks with the next step, and the phone stays quiet.
        case drink
    }

    package enum WhenFriendDown: String, CaseIterable, Hashable, Sendable {
        case ask
        /// The hero gives once its player has not answered for a while, if it has two potions.
        case askThenGive
        /// The hero gives with the next step, and the phone stays quiet.
        case give
        /// The hero keeps its potions, and its player is not asked.
        case never
    }

    package enum Votes: String, CaseIterable, Hashable, Sendable {
        case silent
        /// At a fork the hero votes for the bold way, unless its player votes.
        case bold
    }

    package enum SetOut: String, CaseIterable, Hashable, Sendable {
        /// Without an answer to a ready check the hero stays at the inn.
        case ask
        /// Without an answer the hero comes along.
        case along
    }

    /// What a player changes of the orders; what is `nil` stays as it is.
    package struct Change: Hashable, Sendable {
        package let whenDown: WhenDown?
        package let whenFriendDown: WhenFriendDown?
        package let votes: Votes?
        package let setOut: SetOut?

        package init(
            whenDown: WhenDown? = nil, whenFriendDown: WhenFriendDown? = nil, votes: Votes? = nil,
            setOut: SetOut? = nil
        ) {
            self.whenDown = whenDown
            self.whenFriendDown = whenFriendDown
            self.votes = votes
            self.setOut = setOut
        }
    }

    mutating func apply(_ change: Change) {
        whenDown = change.whenDown ?? whenDown
        whenFriendDown = change.whenFriendDown ?? whenFriendDown
        votes = change.votes ?? votes
        setOut = change.setOut ?? setOut
    }
}
