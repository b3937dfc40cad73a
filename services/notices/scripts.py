"""The scripts of the outbox: what must be atomic of rows that await their sending."""

from __future__ import annotations

# KEYS due rows; ARGV seconds for which rows are kept, match, its seq, then of each row its field,
# value and when it is due, nothing for one that is kept but not made. Whatever else there was is
# cancelled. Of two reacts the one that knows the older match changes nothing.
PUT = """
if tonumber(redis.call('HGET', KEYS[2], 'seq') or 0) > tonumber(ARGV[3]) then return end
redis.call('HSET', KEYS[2], 'seq', ARGV[3])
local wanted = { seq = true }
for i = 4, #ARGV, 3 do
  wanted[ARGV[i]] = true
  if ARGV[i + 2] ~= '' and redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('ZADD', KEYS[1], ARGV[i + 2], ARGV[2] .. '-' .. ARGV[i])
  end
end
for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
  if not wanted[field] then
    redis.call('HDEL', KEYS[2], field)
    redis.call('ZREM', KEYS[1], ARGV[2] .. '-' .. field)
  end
end
redis.call('EXPIRE', KEYS[2], ARGV[1])
"""

# KEYS due; ARGV now, until when they are leased, how many: the ids of rows that are due. Nobody
# else is given them before the lease runs out.
CLAIM = """
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], ARGV[2], id) end
return ids
"""

# KEYS due rows failed; ARGV id, field, value or nothing to forget it, when it is due again or
# nothing, now, what is kept of it as failed or nothing, how many failed are kept. A row that was
# cancelled, sent or given up meanwhile stays so.
DEALT = """
local was = redis.call('HGET', KEYS[2], ARGV[2])
if not was or was == 'sent' or was == 'failed' then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return 0
end
if ARGV[3] == '' then redis.call('HDEL', KEYS[2], ARGV[2])
else redis.call('HSET', KEYS[2], ARGV[2], ARGV[3]) end
if ARGV[4] == '' then redis.call('ZREM', KEYS[1], ARGV[1])
else redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1]) end
if ARGV[6] ~= '' then
  redis.call('ZADD', KEYS[3], ARGV[5], ARGV[6])
  redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -tonumber(ARGV[7]) - 1)
end
return 1
"""

OUTBOX = (PUT, CLAIM, DEALT)
