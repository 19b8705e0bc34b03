internal import Glibc
internal import OptionParsing
internal import RangersServer

// The parent process may have blocked signals, and a blocked SIGTERM could never stop this program:
// all are unblocked before there is another thread.
StopSignals.unblockAll()

let rangers = CommandLineTool(
    "rangers", version: ServerVersion.text,
    [
        ServeCommand.subcommand, DoctorCommand.subcommand, PushCommand.subcommand,
        ChannelsCommand.subcommand,
        LintCommand.subcommand, MastersCommand.subcommand, ReplayCommand.subcommand,
        ShowCommand.subcommand,
        WhyCommand.subcommand, BackupCommand.subcommand, RestoreCommand.subcommand,
        MigrateCommand.subcommand,
        ContentCommand.subcommand,
    ])
exit(await rangers.run(Array(CommandLine.arguments.dropFirst())))
