-- Keeps the page of a session that was put last, on whichever server.
--
-- KEYS: the order of the session, and its page.
-- ARGV: the operation, the milliseconds to keep keys, and for
--       begin: the time until which the Put waits, so that one that was given up has no
--              effect. Returns 1 and the ticket of the Put, or 0 and the time.
--       keep:  a ticket, and the page or '' for none. Does nothing if a later page is there.
--       late:  the microseconds since a Put that could not begin. Removes the page, unless
--              another Put has begun since.
--
-- The order is two tickets in decimal: of the Put that began last, and of the page. While
-- they differ, the page is out of date. Tickets are times of the clock of Redis in
-- microseconds, so that they increase even if the order has expired or was evicted.
local operation, age, ticket, page = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local last, kept = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
last, kept = tonumber(last or 0), tonumber(kept or 0)

local function order()
	redis.call('SET', KEYS[1], string.format('%016.0f %016.0f', last, kept), 'PX', age)
end

if operation == 'begin' then
	if now > ticket then
		return {0, now}
	end
	last = math.max(now, last + 1)
	order()
	return {1, last}
end
if operation == 'late' then
	ticket, page = now - ticket, ''
	if last > ticket then
		return 0
	end
end
if ticket <= kept then
	return 0
end
last, kept = math.max(last, ticket), ticket
order()
if page == '' then
	redis.call('DEL', KEYS[2])
else
	redis.call('SET', KEYS[2], page, 'PX', age)
end
return 1
