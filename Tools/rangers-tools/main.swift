internal import Foundation
internal import OptionParsing
internal import RangersServer

// As in `rangers`: a blocked SIGTERM could never stop it.
StopSignals.unblockAll()

let tools = CommandLineTool(
    "rangers-tools", version: Version.current,
    [
        DemoCommand.subcommand, PlaytestCommand.subcommand, APNsSimulatorCommand.subcommand,
        BenchCommand.subcommand, ClusterCommand.subcommand, SimulateCommand.subcommand,
    ])
exit(await tools.run(Array(CommandLine.arguments.dropFirst())))
