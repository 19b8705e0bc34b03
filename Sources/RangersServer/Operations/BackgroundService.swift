/// A part of the server that works beside the requests, from its start until it is stopped.
protocol BackgroundService: Sendable {
    /// Runs until `stop`.
    func run() async
    /// Ends the work; `run` returns soon.
    func stop() async
}

extension ChannelSweeper: BackgroundService {}
extension CleanUp: BackgroundService {}
extension ClockWatch: BackgroundService {}
extension JobRunner: BackgroundService {}
extension JournalRetention: BackgroundService {}
extension NameListFile: BackgroundService {}
extension PageStreams: BackgroundService {}
extension Sessions: BackgroundService {}
extension WidgetService: BackgroundService {}
extension WorldBossWatch: BackgroundService {}
extension WorldFollowers: BackgroundService {}
