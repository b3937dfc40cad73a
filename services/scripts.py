"""The scripts of the ledger: what must be atomic, over keys that share a shard's hash tag.

They use only what every Redis, Valkey and fakeredis has: redis.call, tonumber, string, math and
unpack. MULTI would not do: the server goes on after a refused XADD, lets gaps pass, and begins a
new stream for a match that is gone.
"""

from __future__ import annotations

from hashlib import sha1

from services.notices.scripts import OUTBOX

LAST = """
local function last(key)
  local top = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if not top then return 0, '0' end
  return tonumber(string.match(top[1], '^%d+')), top[2][2]
end
"""

# The rest of KEYS unfolded folded live begins after k with the log facts now marks of a match; the
# rest of ARGV after a is a Done. Writes what folding an entry gave.
TELL = """
local function tell(k, a)
  local seq, id = ARGV[a + 2], ARGV[a + 2] .. '-0'
  redis.call('XADD', KEYS[k + 2], 'MAXLEN', '=', 256, id, '=', ARGV[a + 4], '+', ARGV[a + 5])
  redis.call('SET', KEYS[k + 3], ARGV[a + 6])
  if tonumber(seq) % 64 == 0 then redis.call('XADD', KEYS[k + 4], id, '=', ARGV[a + 6]) end
  redis.call('XADD', KEYS[2], '*', 'm', ARGV[a + 1], 'seq', seq)
  if ARGV[a + 7] == 'over' then redis.call('ZREM', KEYS[3], ARGV[a + 1])
  elseif ARGV[a + 7] ~= '' then redis.call('ZADD', KEYS[3], ARGV[a + 7], ARGV[a + 1]) end
end
"""

# KEYS unfolded folded live log facts now marks, and archived if a match is begun; ARGV a Done, `at`
# of the entry before, the entry. A name that the archive has begins none.
# It is written only if the one before is the last entry and the last facts: no gaps, and one
# unfolded entry at the most. If the Done is whole and its `at` is this server's time, within a
# second, all is told at once; else the entry is stamped here, and a worker has to fold it.
APPEND = (
    LAST
    + TELL
    + """
local seq, at = last(KEYS[4])
local folded = last(KEYS[5])
local seen = tonumber(ARGV[2]) - 1
if seen == 0 and redis.call('HEXISTS', KEYS[8], ARGV[1]) == 1 then return {0, 1, 1} end
if seq ~= seen or folded ~= seen or (seen > 0 and at ~= ARGV[9]) then return {0, seq, folded} end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local stamp = tonumber(ARGV[3])
if ARGV[4] ~= '' and stamp >= tonumber(at) and math.abs(stamp - now) <= 1000 then
  redis.call('XADD', KEYS[4], ARGV[2] .. '-0', 'at', ARGV[3], '=', ARGV[10])
  tell(3, 0)
  return {2, seen + 1, stamp}
end
now = math.max(tonumber(at), now)
local digits = string.format('%.0f', now)
redis.call('XADD', KEYS[4], ARGV[2] .. '-0', 'at', digits, '=', ARGV[10])
redis.call('XADD', KEYS[1], '*', 'm', ARGV[1], 'seq', ARGV[2], 'after', at, 'at', digits,
  '=', ARGV[10])
return {1, seen + 1, now}
"""
)

# KEYS unfolded folded live, then log facts now marks of each; ARGV per item as in Done. Facts are
# written only if `seq` follows the last ones and the log holds that very entry; what is there
# already is only acknowledged. Answers 1 written, 0 was there, -1 not its turn, -2 no such entry.
COMMIT = (
    LAST
    + TELL
    + """
local answers, acks = {}, {}
for i = 0, #ARGV / 8 - 1 do
  local k, a = 3 + 4 * i, 8 * i
  local seq, id = tonumber(ARGV[a + 2]), ARGV[a + 2] .. '-0'
  local folded = last(KEYS[k + 2])
  local answer = folded < seq and -1 or 0
  if folded == seq - 1 then
    local entry = redis.call('XRANGE', KEYS[k + 1], id, id)[1]
    answer = entry and entry[2][2] == ARGV[a + 3] and 1 or -2
  end
  if answer == 1 then tell(k, a) end
  if answer >= 0 and ARGV[a + 8] ~= '' then acks[#acks + 1] = ARGV[a + 8] end
  answers[i + 1] = answer
end
if #acks > 0 then
  redis.call('XACK', KEYS[1], 'fold', unpack(acks))
  redis.call('XDEL', KEYS[1], unpack(acks))
end
return answers
"""
)

# KEYS unfolded folded live log facts now marks archived; ARGV a Done of the last entry, then `at`
# and bytes of all. Begins a match with the entries of another, if there is none; only the last is
# told.
COPY = (
    TELL
    + """
if redis.call('EXISTS', KEYS[4]) == 1 then return 0 end
if redis.call('HEXISTS', KEYS[8], ARGV[1]) == 1 then return 0 end
for i = 9, #ARGV, 2 do
  redis.call('XADD', KEYS[4], (i - 7) / 2 .. '-0', 'at', ARGV[i], '=', ARGV[i + 1])
end
tell(3, 0)
if tonumber(ARGV[2]) % 64 ~= 0 then
  redis.call('XADD', KEYS[7], ARGV[2] .. '-0', '=', ARGV[6])
end
return 1
"""
)

# KEYS unfolded, then log facts of each; ARGV ids: lines with nothing to do. If that is not so by
# what is committed (a worker's memory runs ahead of its commits), the line stays.
SETTLE = (
    LAST
    + """
for i, id in ipairs(ARGV) do
  if last(KEYS[2 * i]) == last(KEYS[2 * i + 1]) then
    redis.call('XACK', KEYS[1], 'fold', id)
    redis.call('XDEL', KEYS[1], id)
  end
end
"""
)

# KEYS unfolded stuck; ARGV match, why, id: the match waits for a release that folds it.
PARK = """
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
if ARGV[3] ~= '' then
  redis.call('XACK', KEYS[1], 'fold', ARGV[3])
  redis.call('XDEL', KEYS[1], ARGV[3])
end
"""

# KEYS unfolded stuck log, then facts now marks to forget; ARGV match: fold it again.
AGAIN = """
if redis.call('EXISTS', KEYS[3]) == 0 then return 0 end
for i = 4, #KEYS do redis.call('DEL', KEYS[i]) end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('XADD', KEYS[1], '*', 'm', ARGV[1])
return 1
"""

# KEYS archived stuck log facts now marks; ARGV match, seq, digest: the archive has it. It leaves
# the server in the same instant in which readers are told where it is, if it ends where it did.
LEAVE = (
    LAST
    + """
local seq = tonumber(ARGV[2])
if last(KEYS[3]) ~= seq or last(KEYS[4]) ~= seq then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HDEL', KEYS[2], ARGV[1])
for i = 3, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
"""
)

# KEYS alive down; ARGV how many ms without a sign of life are downtime, how many of these are kept.
# Gives a sign of life, and writes down since when there was none.
SIGN = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local digits, last = string.format('%.0f', now), redis.call('GET', KEYS[1])
if last and now - tonumber(last) > tonumber(ARGV[1]) then
  redis.call('XADD', KEYS[2], 'MAXLEN', '=', ARGV[2], '*', 'since', last, 'until', digits)
end
redis.call('SET', KEYS[1], digits)
"""

# KEYS results upto standings board; ARGV when it could be known, a result. One that belongs before
# what is counted has all counted again.
RESULT = """
if redis.call('ZADD', KEYS[1], 'NX', ARGV[1], ARGV[2]) == 0 then return 0 end
local upto = redis.call('GET', KEYS[2])
local rank = upto and redis.call('ZRANK', KEYS[1], upto)
if rank and redis.call('ZRANK', KEYS[1], ARGV[2]) < rank then
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
end
return 1
"""

# KEYS upto standings board; ARGV what was counted before and is now, then of each player what is
# known and the rating.
RATE = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
for i = 3, #ARGV, 3 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
  redis.call('ZADD', KEYS[3], ARGV[i + 2], ARGV[i])
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
"""

# KEYS a document, a set; ARGV what it was, what it is now, a name, and whether the set holds that.
SWAP = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call(ARGV[4] == '' and 'SREM' or 'SADD', KEYS[2], ARGV[3])
return 1
"""

# KEYS a hash; ARGV field, what it held, what it shall hold; nothing is no such field.
CHANGE = """
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return 1
"""

ON_MATCHES = (APPEND, COMMIT, COPY, SETTLE, PARK, AGAIN, LEAVE)
SCRIPTS = (*ON_MATCHES, SIGN, RESULT, RATE, SWAP, CHANGE, *OUTBOX)
SHA = {script: sha1(script.encode()).hexdigest() for script in SCRIPTS}
