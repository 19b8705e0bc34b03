import Testing

/// The web pages in real browsers (E2), at a real server with the simulator.
///
/// One test at a time: all share a browser.
@Suite(
    "E2: the console and the browser phone in real browsers", .serialized, .timeLimit(.minutes(5)))
enum ConsoleTests {}
