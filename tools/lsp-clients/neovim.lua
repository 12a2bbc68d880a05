-- Opens a document in headless Neovim with `datachain lsp`: diagnostics appear, a
-- code action fixes the mistake, hover and completion answer. Works with Neovim 0.7
-- and newer.
local function fail(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end

local function await(what, holds)
  if not vim.wait(20000, holds, 5) then
    fail('waited in vain for ' .. what)
  end
end

local function main()
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir, 'p')
  local text = table.concat(vim.fn.readfile('../../examples/documents/air-station.json'), '\n')
  local wrong = text:gsub('purpose.environment', 'purpose.enviroment'):gsub('Air on', '😀 漢字 on')
  vim.fn.writefile(vim.split(wrong, '\n'), dir .. '/air.datachain.json')
  vim.cmd('edit ' .. dir .. '/air.datachain.json')

  local client_id = vim.lsp.start_client({
    name = 'datachain', cmd = { vim.fn.getcwd() .. '/build/datachain', 'lsp', '--samples' }, root_dir = dir,
  })
  vim.lsp.buf_attach_client(0, client_id)
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
  local client = vim.lsp.get_client_by_id(client_id)
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = {}, only = { 'quickfix' } }
  local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 20000)[client_id].result
  vim.lsp.util.apply_workspace_edit(answer[1].edit, client.offset_encoding)
  await('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)

  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', at, 20000)[client_id].result
  if not hover.contents.value:find('Air, noise and weather', 1, true) then
    fail('unexpected hover ' .. vim.inspect(hover))
  end
  local items = vim.lsp.buf_request_sync(0, 'textDocument/completion', at, 20000)[client_id].result.items
  if #items == 0 then
    fail('no completion')
  end
  print('diagnostics, code action, hover and ' .. #items .. ' completions: passed')
  vim.lsp.stop_client(client_id)
  await('the end', function() return vim.lsp.get_client_by_id(client_id) == nil end)
end

local ok, err = xpcall(main, debug.traceback)
if not ok then
  fail(err)
end
vim.cmd('qall!')
