//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMCPProcess lets a client start the program, as clients do.
func TestMCPProcess(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "mcp")
	cmd.Env = append(os.Environ(), beProgram+"=1")
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd, TerminateDuration: 30 * time.Second}, nil)
	require.NoError(t, err)
	res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "list_schema_versions"})
	require.NoError(t, err)
	assert.Contains(t, res.Content[0].(*sdk.TextContent).Text, "sensor@latest")
	require.NoError(t, session.Close())
	assert.True(t, cmd.ProcessState.Success(), cmd.ProcessState)
}
