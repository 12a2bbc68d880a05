// Command goclient talks to `datachain lsp` with go.lsp.dev/protocol, whose types are
// generated from the specification: every answer must decode into them. It is a
// module of its own, so that nothing else depends on that library.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "goclient:", err)
		os.Exit(1)
	}
	fmt.Println("passed")
}

// editor receives what the server sends by itself.
type editor struct {
	protocol.UnimplementedClient
	published chan *protocol.PublishDiagnosticsParams
	edits     chan *protocol.ApplyWorkspaceEditParams
}

func (e *editor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	e.published <- p
	return nil
}

func (e *editor) ApplyEdit(_ context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	e.edits <- p
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

// pipes are the streams of a process.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// file is the document that is edited.
const file = uri.URI("file:///w/chain.datachain.json")

func run(ctx context.Context, exe string) error {
	cmd := exec.CommandContext(ctx, exe, "lsp", "--samples")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	e := &editor{published: make(chan *protocol.PublishDiagnosticsParams, 100), edits: make(chan *protocol.ApplyWorkspaceEditParams, 1)}
	ctx, conn, server := protocol.NewClient(ctx, e, jsonrpc2.NewHeaderStream(pipes{out, in}))
	defer conn.Close()
	if err := session(ctx, e, server); err != nil {
		return err
	}
	if err := server.Shutdown(ctx); err != nil {
		return fmt.Errorf("shutdown: %w", err)
	}
	if err := server.Exit(ctx); err != nil {
		return fmt.Errorf("exit: %w", err)
	}
	return cmd.Wait()
}

func session(ctx context.Context, e *editor, server protocol.Server) error {
	var p protocol.InitializeParams
	p.Capabilities = protocol.ClientCapabilities{
		Workspace: &protocol.WorkspaceClientCapabilities{ApplyEdit: new(true), WorkspaceEdit: &protocol.WorkspaceEditClientCapabilities{
			DocumentChanges: new(true), ResourceOperations: []protocol.ResourceOperationKind{protocol.ResourceOperationKindCreate},
		}},
		TextDocument: &protocol.TextDocumentClientCapabilities{CodeLens: new(protocol.CodeLensClientCapabilities)},
	}
	init, err := server.Initialize(ctx, &p)
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	fmt.Println(init.ServerInfo)
	if err := server.Initialized(ctx, &protocol.InitializedParams{}); err != nil {
		return err
	}
	valid, err := os.ReadFile("../../../examples/documents/air-station.json")
	if err != nil {
		return err
	}
	if err := server.DidOpen(ctx, &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: file, LanguageID: "json", Version: 1, Text: string(valid),
	}}); err != nil {
		return err
	}
	if err := e.expect(ctx, 1, 0); err != nil {
		return err
	}
	if err := everything(ctx, server, string(valid)); err != nil {
		return err
	}
	if err := commands(ctx, e, server); err != nil {
		return err
	}
	return quickly(ctx, e, server, string(valid))
}

// commands runs the command of each code lens, and asks for a preview.
func commands(ctx context.Context, e *editor, server protocol.Server) error {
	lenses, err := server.CodeLens(ctx, &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: file}})
	if err != nil || len(lenses) != 1 {
		return fmt.Errorf("code lenses: %v, %w", lenses, err)
	}
	lens := lenses[0].Command
	if _, err := server.ExecuteCommand(ctx, &protocol.ExecuteCommandParams{Command: lens.Command, Arguments: lens.Arguments}); err != nil {
		return fmt.Errorf("%s: %w", lens.Command, err)
	}
	select {
	case p := <-e.edits:
		if len(p.Edit.DocumentChanges) != 2 {
			return fmt.Errorf("%s: edit %v", lens.Command, p.Edit)
		}
	case <-ctx.Done():
		return fmt.Errorf("%s: no edit: %w", lens.Command, ctx.Err())
	}
	page, err := server.ExecuteCommand(ctx, &protocol.ExecuteCommandParams{
		Command: "datachain.preview", Arguments: []protocol.LSPAny{protocol.LSPAny(`"` + file + `"`)},
	})
	if err != nil || !strings.Contains(string(page), "Air on the market square") {
		return fmt.Errorf("preview: %.200s, %w", page, err)
	}
	return nil
}

// expect waits for the diagnostics of a version, and checks their number.
func (e *editor) expect(ctx context.Context, version int32, wrong int) error {
	for {
		select {
		case p := <-e.published:
			got, _ := p.Version.Get()
			if got != version {
				continue
			}
			if len(p.Diagnostics) != wrong {
				return fmt.Errorf("version %d has %d diagnostics, not %d: %v", version, len(p.Diagnostics), wrong, p.Diagnostics)
			}
			return nil
		case <-ctx.Done():
			return fmt.Errorf("no diagnostics of version %d: %w", version, ctx.Err())
		}
	}
}

// quickly types faster than the server validates: the last diagnostics must be those of
// the last text, and none may follow.
func quickly(ctx context.Context, e *editor, server protocol.Server, valid string) error {
	wrong := strings.Replace(valid, "purpose.environment", "purpose.enviroment", 1)
	version := int32(1)
	for round := range 100 {
		for i := range 10 {
			version++
			text := wrong
			if (i+round)%2 == 0 {
				text = valid
			}
			if err := server.DidChange(ctx, &protocol.DidChangeTextDocumentParams{
				TextDocument: protocol.VersionedTextDocumentIdentifier{
					TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: file}, Version: version,
				},
				ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: text}},
			}); err != nil {
				return err
			}
		}
		if err := e.expect(ctx, version, 1-(9+round+1)%2); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
	}
	return nil
}

// everything sends each request that the server advertises.
func everything(ctx context.Context, server protocol.Server, text string) error {
	id := protocol.TextDocumentIdentifier{URI: file}
	before := text[:strings.Index(text, "purpose.environment")+3]
	at := protocol.Position{
		Line:      uint32(strings.Count(before, "\n")),
		Character: uint32(len(before) - strings.LastIndexByte(before, '\n') - 1),
	}
	place := protocol.TextDocumentPositionParams{TextDocument: id, Position: at}
	whole := protocol.Range{End: protocol.Position{Line: 1000}}

	hover, err := server.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: place})
	if err != nil || hover == nil {
		return fmt.Errorf("hover: %v, %w", hover, err)
	}
	completion, err := server.Completion(ctx, &protocol.CompletionParams{TextDocumentPositionParams: place})
	list, ok := completion.(*protocol.CompletionList)
	if err != nil || !ok || len(list.Items) == 0 {
		return fmt.Errorf("completion: %T, %w", completion, err)
	}
	symbols, err := server.DocumentSymbol(ctx, &protocol.DocumentSymbolParams{TextDocument: id})
	if flat, ok := symbols.(protocol.SymbolInformationSlice); err != nil || !ok || len(flat) == 0 {
		return fmt.Errorf("symbols: %T, %w", symbols, err)
	}
	hints, err := server.InlayHint(ctx, &protocol.InlayHintParams{TextDocument: id, Range: whole})
	if err != nil || len(hints) == 0 {
		return fmt.Errorf("inlay hints: %v, %w", hints, err)
	}
	_, err = server.CodeAction(ctx, &protocol.CodeActionParams{TextDocument: id, Range: whole})
	return err
}
