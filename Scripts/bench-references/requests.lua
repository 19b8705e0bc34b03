-- What wrk sends in `rangers-tools bench api`: wrk … -s requests.lua URL -- FILE once|repeat CONNECTIONS
--
-- A line of FILE is a request: method, path, bearer token and body, with tabs between; "-" is none.
-- "once" sends every line once, in order, and ends wrk; "repeat" sends the first line all the time.
-- The last line that wrk prints is a JSON object.
local ffi = require("ffi")
ffi.cdef [[
typedef struct { long seconds; long nanoseconds; } timespec_t;
int clock_gettime(int clock, timespec_t *time);
int getpid(void);
int kill(int process, int signal);
int usleep(unsigned int microseconds);
]]

local monotonic, interrupt = 1, 2
-- Requests behind a list's end: every connection has then come back, most of them twice.
local patience
local time = ffi.new("timespec_t")
local prepared, sent, isChecked = {}, 0, false
-- Read by `done` in another Lua state, so they are global: when the first and last request left.
first, last = 0, 0

local function now()
  ffi.C.clock_gettime(monotonic, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local function headers(token, body)
  local headers = { Host = wrk.headers["Host"] }
  if token ~= "-" then headers["Authorization"] = "Bearer " .. token end
  if body then headers["Content-Type"] = "application/json" end
  return headers
end

local threads = {}
function setup(thread) threads[#threads + 1] = thread end

local function each()
  -- wrk asks once before it connects, to see whether requests are pipelined.
  if not isChecked then
    isChecked = true
    return prepared[1]
  end
  sent = sent + 1
  if sent == 1 then first = now() end
  if sent == #prepared then last = now() end
  if prepared[sent] then return prepared[sent] end
  -- The last responses are still on their way. What is sent meanwhile is slow, so that it is
  -- little; then wrk is ended in its own way, again if it did not listen yet.
  ffi.C.usleep(500)
  local behind = sent - #prepared
  if behind >= patience and behind % 64 == 0 then ffi.C.kill(ffi.C.getpid(), interrupt) end
  return wrk.format("GET", "/icon.svg")
end

function init(arguments)
  patience = 2 * tonumber(arguments[3])
  for line in io.lines(arguments[1]) do
    local method, path, token, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    if body == "-" then body = nil end
    if arguments[2] == "repeat" then
      wrk.method, wrk.path, wrk.body, wrk.headers = method, path, body, headers(token, body)
      return
    end
    prepared[#prepared + 1] = wrk.format(method, path, headers(token, body), body)
  end
  request = each
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"refused":%d,"lost":%d,"listSeconds":%.6f}\n',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    math.max(0, threads[1]:get("last") - threads[1]:get("first"))))
end
