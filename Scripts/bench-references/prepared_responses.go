// The reference of `rangers-tools bench api` in Go: net/http answers with bytes that lie ready.
//
// usage: prepared_responses PORT FILE
//
// FILE has header lines, an empty line, and for each response "PATH LENGTH", a line feed, as many
// bytes, and a line feed.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
)

type prepared struct {
	headers http.Header
	bodies  map[string][]byte
}

func read(path string) (*prepared, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := bufio.NewReader(file)
	responses := &prepared{headers: http.Header{}, bodies: map[string][]byte{}}
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ": ")
		responses.headers.Set(name, value)
	}
	for {
		var path string
		var length int
		if _, err := fmt.Fscanf(reader, "%s %d\n", &path, &length); err == io.EOF {
			return responses, nil
		} else if err != nil {
			return nil, err
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(reader, body); err != nil {
			return nil, err
		}
		if _, err := reader.Discard(1); err != nil {
			return nil, err
		}
		responses.bodies[path] = body
	}
}

func (responses *prepared) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	body, found := responses.bodies[request.URL.Path]
	if request.URL.Path == "/healthz" {
		body, found = []byte("ok"), true
	}
	if !found || request.Method != "GET" {
		writer.WriteHeader(http.StatusNotFound)
		return
	}
	headers := writer.Header()
	for name, values := range responses.headers {
		headers[name] = values
	}
	headers["Content-Length"] = []string{fmt.Sprint(len(body))}
	writer.Write(body)
}

func main() {
	runtime.GOMAXPROCS(1)
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: prepared_responses PORT FILE")
		os.Exit(64)
	}
	responses, err := read(os.Args[2])
	if err == nil {
		var listener net.Listener
		listener, err = net.Listen("tcp4", "127.0.0.1:"+os.Args[1])
		if err == nil {
			err = http.Serve(listener, responses)
		}
	}
	fmt.Fprintln(os.Stderr, "prepared_responses:", err)
	os.Exit(1)
}
