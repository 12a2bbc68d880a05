-- Decides on a request, and counts it if it passes.
--
-- KEYS: the window to count in; for a request with a name also the window of requests
--       without one, and the set of the names that are in use.
-- ARGV: the seconds of a window, the maximum number of names, the limit of the request
--       and its name, which may be empty.
--
-- Returns whether it passes (1 or 0), how many more would, and in how many seconds the
-- oldest slot expires (if refused: enough slots).
--
-- A window is a string of bytes: the newest and the oldest slot that have requests
-- (4 bytes each), the total (2 bytes), and the count of each slot (2 bytes), at the
-- slot's number modulo the number of slots. Its size does not depend on the
-- requests, and neither does the work for a check: a hash with a field for each slot
-- takes four times as long when all slots are in use.
local slots, maxNames, limit, name = tonumber(ARGV[1]) + 1, tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local key, pool, names = unpack(KEYS)
local now = tonumber(redis.call('TIME')[1])
local pack, sub = struct.pack, string.sub

local header = 10
local size = header + 2 * slots
local function at(slot)
	return header + 1 + 2 * (slot % slots)
end
local function count(window, slot)
	return (struct.unpack('>I2', window, at(slot)))
end

local seen, pooled = nil, false
if names then
	seen = tonumber(redis.call('ZSCORE', names, name) or 0)
	if seen <= now - slots then
		redis.call('ZREMRANGEBYSCORE', names, '-inf', now - slots)
		if redis.call('ZCARD', names) >= maxNames then
			key, pooled = pool, true
		end
	end
end

local window = redis.call('GET', key)
local newest, oldest, total = now, now, 0
if window and #window == size then
	newest, oldest, total = struct.unpack('>I4I4I2', window)
	if now < newest and newest - now < slots then
		now = newest -- the clock was set back a little
	end
	if now < newest or now - newest >= slots or newest < oldest or newest - oldest >= slots then
		total = 0 -- all have expired, or something else wrote it
	end
end
if total > 0 then
	local n = count(window, oldest)
	while oldest < newest and (oldest <= now - slots or n == 0) do
		if n > 0 then
			total = total - n
			local i = at(oldest)
			window = sub(window, 1, i - 1) .. '\0\0' .. sub(window, i + 2)
		end
		oldest = oldest + 1
		n = count(window, oldest)
	end
	if n == 0 or total < n then -- something else wrote it
		total = 0
	end
end
if total == 0 then
	window, oldest = string.rep('\0', size), now
end

if total < limit then
	total = total + 1
	local i = at(now)
	redis.call('SET', key, pack('>I4I4I2', now, oldest, total) .. sub(window, header + 1, i - 1) ..
		pack('>I2', count(window, now) + 1) .. sub(window, i + 2), 'EX', slots)
	if names and not pooled and seen ~= now then
		redis.call('ZADD', names, now, name)
		redis.call('EXPIRE', names, slots)
	end
	return {1, limit - total, oldest + slots - now}
end

-- The limit may be lower than it was, so more than one slot may have to expire.
local expired, slot = count(window, oldest), oldest
while total - expired >= limit and slot < newest do
	slot = slot + 1
	expired = expired + count(window, slot)
end
return {0, 0, slot + slots - now}
