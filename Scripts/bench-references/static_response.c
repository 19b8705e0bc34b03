/* The reference of `rangers-tools bench api` in C: libmicrohttpd answers everything with one response.
 *
 * usage: static_response PORT FILE
 *
 * FILE has header lines, an empty line, "PATH LENGTH", a line feed, and as many bytes; what comes
 * behind them is not read. One thread with epoll, as each of our server's HTTP threads.
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct MHD_Response *response;

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *body, size_t *body_length, void **request)
{
    static int seen;
    (void)context, (void)url, (void)method, (void)version, (void)body;
    /* The first call has the head alone. */
    if (*request == NULL) {
        *request = &seen;
        return MHD_YES;
    }
    *body_length = 0;
    return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

static void fail(const char *why)
{
    fprintf(stderr, "static_response: %s\n", why);
    exit(1);
}

/* Reads a line without its line feed into `line`. */
static void read_line(FILE *file, char *line, size_t room)
{
    if (fgets(line, (int)room, file) == NULL) fail("the file is too short");
    line[strcspn(line, "\n")] = 0;
}

static void read_response(const char *path)
{
    static char headers[16][1024];
    char line[1024];
    size_t count = 0, length;
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail("the file cannot be opened");
    for (read_line(file, line, sizeof line); line[0] != 0; read_line(file, line, sizeof line)) {
        if (count == 16) fail("more than 16 headers");
        memcpy(headers[count++], line, sizeof line);
    }
    read_line(file, line, sizeof line);
    if (sscanf(line, "%*s %zu", &length) != 1) fail("no PATH LENGTH");
    char *bytes = malloc(length + 1);
    if (bytes == NULL || fread(bytes, 1, length, file) != length) fail("the body is too short");
    fclose(file);
    response = MHD_create_response_from_buffer(length, bytes, MHD_RESPMEM_PERSISTENT);
    for (size_t index = 0; index < count; index++) {
        char *colon = strstr(headers[index], ": ");
        if (colon == NULL) fail("a header without a colon");
        *colon = 0;
        if (MHD_add_response_header(response, headers[index], colon + 2) != MHD_YES)
            fail("a header that the library refuses");
    }
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: static_response PORT FILE\n");
        return 64;
    }
    read_response(words[2]);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[1])),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    sigset_t signals;
    int signal;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    /* Before the library's thread is made, which inherits it. */
    sigprocmask(SIG_BLOCK, &signals, NULL);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, NULL,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, 1000u, MHD_OPTION_END);
    if (daemon == NULL) fail("the library cannot listen");
    sigwait(&signals, &signal);
    MHD_stop_daemon(daemon);
    MHD_destroy_response(response);
    return 0;
}
