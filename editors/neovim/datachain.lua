-- Datachain documents and schema sources in Neovim 0.7 or newer. Copy this file to
-- ~/.config/nvim/lua/datachain.lua, and add to init.lua:
--
--   require('datachain').setup({ locale = 'fr' })
--
-- It starts `datachain lsp` for JSON, YAML and SVG files, and adds the commands
-- :DatachainPreview, which shows the document as a page in a browser, and
-- :DatachainResolve, which opens the resolved document in a new window.
local M = {}

local defaults = {
  cmd = { 'datachain', 'lsp' }, -- and for example '--store', 'https://datachain.example'
  filetypes = { 'json', 'jsonc', 'yaml', 'svg' },
  locale = nil, -- language of titles and pages, such as 'fr'
  open = nil, -- function that opens the file of a page
}

local options = defaults
local clients = {} -- by root directory

local function root_of(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local git = vim.fn.finddir('.git', vim.fn.fnamemodify(name, ':p:h') .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or vim.fn.fnamemodify(name, ':p:h')
end

local function attach(buffer)
  local root = root_of(buffer)
  if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
    local start = vim.fn.has('nvim-0.8') == 1 and function(config) return vim.lsp.start(config, { bufnr = buffer }) end or vim.lsp.start_client
    clients[root] = start({
      name = 'datachain', cmd = options.cmd, root_dir = root,
      init_options = options.locale and { locale = options.locale } or nil,
    })
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

-- execute runs a command of the server on the current document.
local function execute(command, show)
  local params = { command = command, arguments = { vim.uri_from_bufnr(0) } }
  local client = vim.lsp.get_client_by_id(clients[root_of(0)] or -1)
  if not client then
    return vim.notify('The datachain language server is not running.', vim.log.levels.ERROR)
  end
  local handler = function(err, result)
    if err then
      return vim.notify(err.message, vim.log.levels.ERROR)
    end
    show(result)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, handler, 0)
  else
    client.request('workspace/executeCommand', params, handler, 0)
  end
end

local function open(file)
  if options.open then
    options.open(file)
  elseif vim.ui.open then
    vim.ui.open(file)
  else
    vim.fn.jobstart({ vim.fn.has('mac') == 1 and 'open' or 'xdg-open', file }, { detach = true })
  end
end

function M.preview()
  execute('datachain.preview', function(page)
    if page.note then
      vim.notify(page.note, vim.log.levels.WARN)
    end
    if page.html ~= '' then
      local file = vim.fn.tempname() .. '.html'
      vim.fn.writefile(vim.split(page.html, '\n'), file)
      open(file)
    end
  end)
end

function M.resolve()
  execute('datachain.resolve', function(result)
    vim.cmd('new')
    vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(result.text, '\n'))
    vim.bo.filetype = 'json'
  end)
end

function M.setup(given)
  options = vim.tbl_extend('force', defaults, given or {})
  local group = vim.api.nvim_create_augroup('datachain', {})
  vim.api.nvim_create_autocmd('FileType', {
    group = group, pattern = options.filetypes, callback = function(args) attach(args.buf) end,
  })
  vim.api.nvim_create_user_command('DatachainPreview', M.preview, { desc = 'Show the document as a page' })
  vim.api.nvim_create_user_command('DatachainResolve', M.resolve, { desc = 'Open the resolved document' })
end

return M
