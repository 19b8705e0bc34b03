internal import Foundation

// Whoever started this program may have blocked signals, and a blocked SIGTERM could never stop
// it: before there is any other thread, all are let in again.
var none = sigset_t()
sigemptyset(&none)
pthread_sigmask(SIG_SETMASK, &none, nil)

exit(await Rangers.run(Array(CommandLine.arguments.dropFirst())))
