-- Decides on one request, and counts it if it passes.
--
-- KEYS: the window to count in; for a request with a name also the window of
--       requests without one, and the set of the names that are in use.
-- ARGV: the limit, the seconds of a window, and with a name the maximum number of
--       names and the name.
--
-- Returns whether the request passes, how many more would, in how many seconds the
-- oldest slot expires (if refused: enough slots), and for how many milliseconds a
-- refusal holds.
--
-- A window is a string of bytes: the newest and the oldest slot that have requests
-- (4 bytes each), the total (2 bytes), and the count of each slot (2 bytes), at the
-- slot's number modulo the number of slots. Its size does not depend on the
-- requests, and neither does the work for a check: a hash with a field for each slot
-- takes four times as long when all slots are in use.
local limit, slots = tonumber(ARGV[1]), tonumber(ARGV[2]) + 1
local time = redis.call('TIME')
local now = tonumber(time[1])

local key, names, seen, pooled = KEYS[1], KEYS[3], nil, false
if names then
	seen = tonumber(redis.call('ZSCORE', names, ARGV[4]) or 0)
	if seen <= now - slots then
		redis.call('ZREMRANGEBYSCORE', names, '-inf', now - slots)
		if redis.call('ZCARD', names) >= tonumber(ARGV[3]) then
			key, pooled = KEYS[2], true
		end
	end
end

local header = 10
local function at(slot)
	return header + 1 + 2 * (slot % slots)
end
local function count(window, slot)
	return (struct.unpack('>I2', window, at(slot)))
end
local function set(window, slot, n)
	local i = at(slot)
	return string.sub(window, 1, i - 1) .. struct.pack('>I2', n) .. string.sub(window, i + 2)
end

local window = redis.call('GET', key)
local newest, oldest, total = now, now, 0
if window and #window == header + 2 * slots then
	newest, oldest, total = struct.unpack('>I4I4I2', window)
	if now < newest and newest - now < slots then
		now = newest -- the clock was set back a little
	end
end
if not window or now < newest or now - newest >= slots or total == 0 then
	window = string.rep('\0', header + 2 * slots)
	oldest, total = now, 0
else
	local n = count(window, oldest)
	while oldest <= now - slots or n == 0 do -- ends at the newest
		if n > 0 then
			total = total - n
			window = set(window, oldest, 0)
		end
		oldest = oldest + 1
		n = count(window, oldest)
	end
end

if total < limit then
	total = total + 1
	window = set(window, now, count(window, now) + 1)
	window = struct.pack('>I4I4I2', now, oldest, total) .. string.sub(window, header + 1)
	redis.call('SET', key, window, 'EX', slots)
	if names and not pooled and seen ~= now then
		redis.call('ZADD', names, now, ARGV[4])
		redis.call('EXPIRE', names, slots)
	end
	return {1, limit - total, oldest + slots - now, 0}
end

-- The limit may be lower than it was, so more than one slot may have to expire.
local expired, slot = count(window, oldest), oldest
while total - expired >= limit do
	slot = slot + 1
	expired = expired + count(window, slot)
end
local left = slot + slots - now
local holds = left
if pooled then -- the name may get a window of its own earlier
	local first = redis.call('ZRANGE', names, 0, 0, 'WITHSCORES')
	holds = math.min(holds, tonumber(first[2]) + slots - now)
end
return {0, 0, left, holds * 1000 - math.floor(time[2] / 1000)}
