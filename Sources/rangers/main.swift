internal import Foundation

exit(await Rangers.run(Array(CommandLine.arguments.dropFirst())))
