package explorer

// mcpClient is how to connect a client of MCP.
type mcpClient struct {
	ID, Name string
	// Where is the file or the place that the configuration belongs in.
	Where, Config string
}

// mcpClients returns the set-up of common clients, for the server at an address. Clients
// that only start programs run the command, which follows the server.
func mcpClients(address, base string) []mcpClient {
	return []mcpClient{
		{"claude-code", "Claude Code", "", "claude mcp add --transport http datachain " + address},
		{"claude-desktop", "Claude Desktop", "claude_desktop_config.json", `{
  "mcpServers": {
    "datachain": {"command": "datachain", "args": ["mcp", "--store", "` + base + `"]}
  }
}`},
		{"vs-code", "VS Code", ".vscode/mcp.json", `{
  "servers": {
    "datachain": {"type": "http", "url": "` + address + `"}
  }
}`},
		{"cursor", "Cursor", ".cursor/mcp.json", `{
  "mcpServers": {
    "datachain": {"url": "` + address + `"}
  }
}`},
		{"zed", "Zed", "settings.json", `{
  "context_servers": {
    "datachain": {"command": "datachain", "args": ["mcp", "--store", "` + base + `"]}
  }
}`},
		{"stdio", "stdio", "", "datachain mcp --store " + base},
		{"http", "HTTP", "", "curl -s " + address + ` --data '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`},
	}
}
