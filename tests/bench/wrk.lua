-- Walks a file of prepared requests, each once, and counts answers that are not the wanted one.
-- BENCH_REQUESTS: their file, separated by \1. BENCH_WANTED: a status. BENCH_AGAIN: 1 to go round.

local ffi = require("ffi")
ffi.cdef "typedef struct { long s, ns; } timespec_t; int clock_gettime(int, timespec_t *);"
local spec = ffi.new("timespec_t")
local threads = {}

local function now()
  ffi.C.clock_gettime(1, spec)
  return tonumber(spec.s) + tonumber(spec.ns) / 1e9
end

function setup(thread)
  threads[#threads + 1] = thread
end

function init()
  local file = io.open(os.getenv("BENCH_REQUESTS"), "rb")
  requests = {}
  for request in file:read("*a"):gmatch("[^\1]+") do requests[#requests + 1] = request end
  file:close()
  wanted, again = tonumber(os.getenv("BENCH_WANTED")), os.getenv("BENCH_AGAIN") == "1"
  tried, sent, answered, bad, first_bad, began, ended = false, 0, 0, 0, "", 0, 0
end

function request()
  if not tried then  -- wrk asks once to see what comes, and does not send it
    tried = true
    return requests[1]
  end
  if sent == 0 then began = now() end
  if sent == #requests then
    if not again then
      if ended == 0 then ended = now() end
      wrk.thread:stop()
      return "GET /empty HTTP/1.1\r\nHost: x\r\n\r\n"
    end
    sent = 0
  end
  sent = sent + 1
  return requests[sent]
end

function response(status, headers, body)
  if ended > 0 then return end
  answered = answered + 1
  if status ~= wanted then
    bad = bad + 1
    if first_bad == "" then first_bad = status .. " " .. body:sub(1, 300):gsub("[^%g ]", " ") end
  end
end

function done(summary, latency)
  local thread = threads[1]
  local ended, seconds = thread:get("ended"), summary.duration / 1e6
  if ended > 0 then seconds = ended - thread:get("began") end
  local errors = summary.errors
  print(string.format("BENCH %d %d %.6f %d %.1f %.1f %d %s", thread:get("answered"),
    thread:get("bad") + errors.connect + errors.read + errors.write + errors.timeout, seconds,
    ended > 0 and 1 or 0, latency:percentile(50), latency:percentile(99), latency.max,
    thread:get("first_bad")))
end
