-- Uses editors/neovim/datachain.lua in headless Neovim, 0.7 or newer: mistakes are fixed,
-- a document is written from an empty file with completions, and ids of a schema source are
-- found.
package.path = '../../editors/neovim/?.lua;' .. package.path
local here = vim.fn.getcwd()

local function fail(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end

local function await(what, holds)
  if not vim.wait(20000, holds, 5) then
    fail('waited in vain for ' .. what .. '\n' .. table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. vim.inspect(vim.diagnostic.get(0)))
  end
end

local function folder()
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir .. '/.git', 'p')
  return dir
end

local function client()
  local found
  await('the server', function()
    found = vim.lsp.buf_get_clients(0)[next(vim.lsp.buf_get_clients(0))]
    return found ~= nil and found.initialized
  end)
  return found
end

-- ask sends a request about the position of the cursor, and returns the answer.
local function ask(method, params)
  local c = client()
  params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, c.offset_encoding), params or {})
  local answer = vim.lsp.buf_request_sync(0, method, params, 20000)[c.id]
  if answer.err or answer.error then
    fail(method .. ': ' .. vim.inspect(answer))
  end
  return answer.result
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') end

-- at moves the cursor behind a part of the text.
local function at(part)
  local offset = select(2, text():find(part, 1, true))
  if not offset then
    fail('no ' .. part .. ' in\n' .. text())
  end
  local before = vim.split(text():sub(1, offset), '\n')
  vim.api.nvim_win_set_cursor(0, { #before, #before[#before] })
end

-- accept completes with the item of a label.
local function accept(label)
  local labels = {}
  for _, item in ipairs(ask('textDocument/completion').items) do
    table.insert(labels, item.label)
    if item.label == label then
      local edits = vim.list_extend({ item.textEdit }, item.additionalTextEdits or {})
      return vim.lsp.util.apply_text_edits(edits, 0, client().offset_encoding)
    end
  end
  fail('no completion ' .. label .. ', but ' .. table.concat(labels, ', '))
end

-- type writes a text at the cursor.
local function type_(new)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local lines = vim.split(new, '\n')
  vim.api.nvim_buf_set_text(0, row - 1, column, row - 1, column, lines)
  local last = #lines == 1 and column + #new or #lines[#lines]
  vim.api.nvim_win_set_cursor(0, { row + #lines - 1, last })
end

local function fixing()
  local valid = table.concat(vim.fn.readfile('../../examples/documents/air-station.json'), '\n')
  local wrong = valid:gsub('purpose.environment', 'purpose.enviroment'):gsub('Air on', '😀 漢字 on')
  local file = folder() .. '/air.datachain.json'
  vim.fn.writefile(vim.split(wrong, '\n'), file)
  vim.cmd('edit ' .. file)
  await('diagnostics', function() return #vim.diagnostic.get(0) == 1 end)
  local found = vim.diagnostic.get(0)[1]
  if found.code ~= 'INSTANCE_ELEMENT_UNKNOWN' or found.source ~= 'datachain' then
    fail('unexpected diagnostic ' .. vim.inspect(found))
  end
  local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, true)[1]
  if line:sub(found.col + 1, found.end_col) ~= '"purpose.enviroment"' then
    fail('wrong range ' .. vim.inspect(found))
  end

  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col + 2 })
  local range = vim.lsp.util.make_range_params(0, client().offset_encoding).range
  local actions = ask('textDocument/codeAction', { range = range, context = { diagnostics = {}, only = { 'quickfix' } } })
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client().offset_encoding)
  await('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)

  local hover = ask('textDocument/hover').contents.value
  if not hover:find('Air, noise and weather', 1, true) or hover:find('data:image', 1, true) then
    fail('unexpected hover ' .. hover)
  end
  local all = #ask('textDocument/completion').items
  print('diagnostics, code action, hover and ' .. all .. ' completions: passed')
end

-- open edits a new file with a text.
local function open(name, content)
  local file = folder() .. '/' .. name
  vim.fn.writefile(vim.split(content, '\n'), file)
  vim.cmd('edit! ' .. file)
  client()
end

-- repairing applies the quick fixes of common mistakes one by one, until none is left. What a
-- fix leaves open, such as the text of a variable, is a warning or an error without a fix.
local function repairing()
  open('mistakes.datachain.json', [[{
  "title": "Market square",
  "schema_version": "sensor@2026-11-15-stable",
  "elements": [
    {"element_id": "purpose.environment", "context_type_id": "always_on", "lable": "Air"},
    {"element_id": "device.station"},
    {"element_id": "data.surroundings", "context_type_id": "does_not_identify_people", "variables": [{"id": "measured", "value": "air_quality"}]},
    {"element_id": "responsible.in_charge", "variables": [{"id": "organisation", "value": [{"locale": "en", "value": "Town of Lindenau"}]}]}
  ]
}]])
  await('diagnostics', function() return #vim.diagnostic.get(0) > 5 end)
  local titles = {}
  for _ = 1, 20 do
    local fix
    for _, d in ipairs(vim.diagnostic.get(0)) do
      vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col })
      local range = { start = { line = d.lnum, character = d.col }, ['end'] = { line = d.lnum, character = d.col } }
      local actions = ask('textDocument/codeAction', { range = range, context = { diagnostics = {}, only = { 'quickfix' } } }) or {}
      fix = fix or actions[1]
    end
    if not fix then
      break
    end
    table.insert(titles, fix.title)
    local before = vim.inspect(vim.diagnostic.get(0))
    local tick = vim.api.nvim_buf_get_changedtick(0)
    vim.lsp.util.apply_workspace_edit(fix.edit, client().offset_encoding)
    if tick == vim.api.nvim_buf_get_changedtick(0) then
      fail('nothing was changed by ' .. fix.title)
    end
    await('other diagnostics', function() return vim.inspect(vim.diagnostic.get(0)) ~= before end)
  end
  for what, part in pairs({
    ['the id'] = '"id": ', ['the date'] = '"created_at": ', ['the text as a list'] = '"title": [{"locale": "en", "value": "Market square"}]',
    ['the misspelt key'] = '"label": "Air"', ['the context'] = '"device.station", "context_type_id": "',
    ['the list of options'] = '"value": ["air_quality"]', ['the required variable'] = '"id": "contact"',
  }) do
    if not text():find(part, 1, true) then
      fail(what .. ' was not fixed by ' .. table.concat(titles, ', ') .. '\n' .. text() .. vim.inspect(vim.diagnostic.get(0)))
    end
  end
  if text():find('"purpose.environment", "context_type_id"', 1, true) then
    fail('the context is still there\n' .. text())
  end
  print(#titles .. ' fixes: passed')
end

-- titles reads a hover, and completes a whole title.
local function titles()
  local valid = vim.fn.json_decode(vim.fn.readfile('../../examples/documents/air-station.json'))
  open('valid.datachain.json', vim.fn.json_encode(valid))
  at('"element_id": "data.sur')
  local hover = vim.lsp.util.convert_input_to_markdown_lines(ask('textDocument/hover').contents)
  if table.concat(hover, '\n'):find('\\', 1, true) then
    fail('backslashes in ' .. table.concat(hover, '\n'))
  end
  open('title.datachain.json', '{"schema_version": "sensor@2026-11-15-stable", "title": , "elements": []}')
  at('"title": ')
  local items = ask('textDocument/completion').items
  local whole = false
  for _, item in ipairs(items) do
    whole = whole or item.textEdit.newText:find('"locale": "en"', 1, true) ~= nil
  end
  if not whole then
    fail('no whole title in ' .. vim.inspect(items))
  end
  print('hover and the completion of a title: passed')
end

local function commands(pages)
  vim.cmd('DatachainPreview')
  await('a page', function() return #pages == 1 end)
  local page = table.concat(vim.fn.readfile(pages[1]), '\n')
  if not page:find('<!doctype html>', 1, true) or not page:find('漢字 on the market square', 1, true) then
    fail('unexpected page ' .. page:sub(1, 200))
  end
  local window = vim.api.nvim_get_current_win()
  vim.cmd('DatachainResolve')
  await('the resolved document', function() return text():find('"schema_snapshot"', 1, true) ~= nil end)
  vim.cmd('bdelete!')
  vim.api.nvim_set_current_win(window)
  -- This Neovim may show neither browsers nor lenses, but what is advertised must answer.
  if client().server_capabilities.codeLensProvider then
    local lenses = vim.lsp.buf_request_sync(0, 'textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(0) } }, 20000)
    if #lenses[client().id].result == 0 then
      fail('no code lens')
    end
  end
  print('preview and resolve: passed')
end

-- writing writes a valid document from an empty file: elements and options by completion,
-- only what nobody but the author knows by hand.
local function writing()
  vim.cmd('edit ' .. folder() .. '/new.datachain.json')
  accept('Datachain (sensor@2026-11-15-stable)')
  at('"id": "')
  type_('market-square')
  at('"elements": [\n    ')
  for i, label in ipairs({ 'Air, noise and weather (purpose.environment)', 'Air and weather station (device.station)',
    'Measurements of the surroundings (data.surroundings)', 'Organisation in charge (responsible.in_charge)' }) do
    accept(label)
    if i < 4 then
      at('"elements": [\n    ')
      type_(',\n    ')
      at('"elements": [\n    ')
    end
  end
  at('"device.station", "context_type_id": "')
  accept('Always on (always_on)')
  at('"data.surroundings",\n      "context_type_id": "')
  accept('Does not identify people (does_not_identify_people)')
  at('"id": "measured", "value": ["')
  accept('air quality (air_quality)')
  for variable, value in pairs({ organisation = 'Town of Lindenau', contact = 'environment@lindenau.example' }) do
    at('"id": "' .. variable .. '", "value": [{"locale": "en", "value": "')
    type_(value)
  end
  await('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
  print('a document from an empty file: passed')
end

-- navigating goes from an id of a schema source to its definition, and lists what a file defines.
local function navigating()
  local dir = folder()
  vim.fn.system({ 'cp', '-r', '../../cmd/internal/command/testdata/tree/schemas/bikes', dir })
  require('datachain').setup({ cmd = { here .. '/build/datachain', 'lsp', '--schemas', dir } })
  vim.cmd('edit ' .. dir .. '/bikes/2026-09-01-beta/elements/all.yaml')
  at('category_id: con')
  local definition = vim.uri_to_fname(ask('textDocument/definition')[1].uri)
  if vim.fn.fnamemodify(definition, ':t') ~= 'contact.yaml' then
    fail('defined in ' .. definition)
  end
  local outline = ask('textDocument/documentSymbol', { textDocument = { uri = vim.uri_from_bufnr(0) } })
  if #outline == 0 then
    fail('no outline')
  end
  print('definition and outline: passed')
end

local ok, err = xpcall(function()
  local pages = {}
  vim.cmd('filetype on')
  vim.opt.virtualedit = 'onemore' -- as in insert mode, the cursor can be behind a line
  require('datachain').setup({
    cmd = { here .. '/build/datachain', 'lsp', '--samples' }, open = function(file) table.insert(pages, file) end,
  })
  fixing()
  commands(pages)
  repairing()
  titles()
  writing()
  navigating()
end, debug.traceback)
if not ok then
  fail(err)
end
vim.cmd('qall!')
