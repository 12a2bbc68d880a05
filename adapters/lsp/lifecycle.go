package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// initializeParams are the parts of the params of initialize that the server reads.
// A client may omit any of them.
type initializeParams struct {
	Locale  string `json:"locale"`
	RootURI string `json:"rootUri"`
	Folders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Options struct {
		// Locale overrides the language of the editor.
		Locale string `json:"locale"`
		// Pictures overrides whether hovers have pictures.
		Pictures *bool `json:"pictures"`
		// Formatting is false if the editor asks for the formatting of YAML alone.
		Formatting *bool `json:"formatting"`
	} `json:"initializationOptions"`
	Capabilities clientCapabilities `json:"capabilities"`
}

type clientCapabilities struct {
	General struct {
		PositionEncodings []encoding `json:"positionEncodings"`
		Markdown          struct {
			Parser string `json:"parser"`
		} `json:"markdown"`
	} `json:"general"`
	Window struct {
		ShowDocument struct {
			Support bool `json:"support"`
		} `json:"showDocument"`
	} `json:"window"`
	Workspace struct {
		ApplyEdit             bool `json:"applyEdit"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		Diagnostics struct {
			Refresh bool `json:"refreshSupport"`
		} `json:"diagnostics"`
		WorkspaceEdit struct {
			DocumentChanges bool     `json:"documentChanges"`
			Operations      []string `json:"resourceOperations"`
		} `json:"workspaceEdit"`
	} `json:"workspace"`
	TextDocument struct {
		Completion struct {
			Item struct {
				Snippets      bool     `json:"snippetSupport"`
				LabelDetails  bool     `json:"labelDetailsSupport"`
				Documentation []string `json:"documentationFormat"`
				Resolve       struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
		CodeLens   *struct{} `json:"codeLens"`
		CodeAction struct {
			Literals *struct{} `json:"codeActionLiteralSupport"`
		} `json:"codeAction"`
		PublishDiagnostics struct {
			RelatedInformation bool `json:"relatedInformation"`
		} `json:"publishDiagnostics"`
		Diagnostic *struct {
			RelatedInformation bool `json:"relatedInformation"`
		} `json:"diagnostic"`
	} `json:"textDocument"`
}

// client is what the server knows of a client.
type client struct {
	encoding encoding
	// locale is the language that the settings of the server name, or "", and
	// editor that of the editor.
	locale, editor string
	// related is set if diagnostics can have related places.
	related bool
	// pull is set if the client asks for diagnostics, and refresh if it can be told
	// to ask again.
	pull, refresh bool
	// watch is set if the client can be asked to watch files.
	watch bool
	// documentChanges is set if edits can name the version of a text.
	documentChanges bool
	// renameFiles is set if edits can rename files, and createFiles if the server
	// can ask for edits that create some.
	renameFiles, createFiles bool
	// applyEdit is set if the server can ask for edits of open documents.
	applyEdit bool
	// markdown is set if hovers can be Markdown, and markdownItems if the
	// documentation of completion items can.
	markdown, markdownItems bool
	// pictures is set if Markdown can have images in data URIs.
	pictures bool
	// snippets is set if completions can have stops, and labelDetails if their
	// labels can have several parts.
	snippets, labelDetails bool
	// resolves is set if the client asks for the documentation of an item when it
	// shows it.
	resolves bool
	// symbolTree is set if symbols can have children.
	symbolTree bool
	// actions is set if code actions can have edits.
	actions bool
	// lenses is set if the client shows code lenses, and showDocument if it can
	// open URIs in a browser.
	lenses, showDocument bool
	// formats is set if the editor formats documents itself.
	formats bool
}

// pictureParser is the Markdown parser of the editors that show pictures in hovers:
// Visual Studio Code and those in browsers. Terminals would show long data URIs.
const pictureParser = "marked"

func newClient(p *initializeParams) client {
	workspace, documents := &p.Capabilities.Workspace, &p.Capabilities.TextDocument
	c := client{
		encoding:        utf16Encoding,
		locale:          p.Options.Locale,
		editor:          p.Locale,
		related:         documents.PublishDiagnostics.RelatedInformation,
		watch:           workspace.DidChangeWatchedFiles.DynamicRegistration,
		documentChanges: workspace.WorkspaceEdit.DocumentChanges,
		renameFiles:     workspace.WorkspaceEdit.DocumentChanges && slices.Contains(workspace.WorkspaceEdit.Operations, "rename"),
		markdown:        slices.Contains(documents.Hover.ContentFormat, "markdown"),
		markdownItems:   slices.Contains(documents.Completion.Item.Documentation, "markdown"),
		snippets:        documents.Completion.Item.Snippets,
		labelDetails:    documents.Completion.Item.LabelDetails,
		resolves:        slices.Contains(documents.Completion.Item.Resolve.Properties, "documentation"),
		symbolTree:      documents.DocumentSymbol.Hierarchical,
		actions:         documents.CodeAction.Literals != nil,
		lenses:          documents.CodeLens != nil,
		showDocument:    p.Capabilities.Window.ShowDocument.Support,
		pictures:        p.Capabilities.General.Markdown.Parser == pictureParser,
	}
	c.applyEdit = workspace.ApplyEdit
	c.createFiles = workspace.ApplyEdit && c.documentChanges && slices.Contains(workspace.WorkspaceEdit.Operations, "create")
	c.formats = p.Options.Formatting != nil && !*p.Options.Formatting
	if p.Options.Pictures != nil {
		c.pictures = *p.Options.Pictures
	}
	if pull := documents.Diagnostic; pull != nil {
		c.pull, c.refresh, c.related = true, workspace.Diagnostics.Refresh, c.related || pull.RelatedInformation
	}
	for _, offered := range p.Capabilities.General.PositionEncodings {
		if offered == utf8Encoding || offered == utf16Encoding {
			c.encoding = offered
			break
		}
	}
	return c
}

// localesOf returns the languages of a document for its user, the preferred one first: that
// of the settings, of the folder, and of the editor.
func (s *session) localesOf(at address) (list []string) {
	s.mu.Lock()
	f, _ := s.workspace.folderOf(at)
	s.mu.Unlock()
	wanted := []string{s.client.locale, s.client.editor}
	if f != nil {
		wanted = slices.Insert(wanted, 1, f.locale)
	}
	for _, locale := range wanted {
		// A user who reads fr-CA also reads fr. POSIX writes fr_CA.
		for tag := strings.ReplaceAll(locale, "_", "-"); tag != ""; {
			if !slices.Contains(list, tag) {
				list = append(list, tag)
			}
			cut := strings.LastIndexByte(tag, '-')
			tag = tag[:max(0, cut)]
		}
	}
	return list
}

// Results of initialize.
type (
	initializeResult struct {
		Capabilities serverCapabilities `json:"capabilities"`
		ServerInfo   serverInfo         `json:"serverInfo"`
	}
	serverInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	serverCapabilities struct {
		PositionEncoding encoding           `json:"positionEncoding"`
		TextDocumentSync syncOptions        `json:"textDocumentSync"`
		Completion       completionOptions  `json:"completionProvider"`
		Hover            bool               `json:"hoverProvider"`
		Definition       bool               `json:"definitionProvider"`
		References       bool               `json:"referencesProvider,omitzero"`
		Rename           *renameOptions     `json:"renameProvider,omitzero"`
		DocumentSymbol   bool               `json:"documentSymbolProvider"`
		Formatting       bool               `json:"documentFormattingProvider,omitzero"`
		InlayHint        bool               `json:"inlayHintProvider"`
		Diagnostic       *diagnosticOptions `json:"diagnosticProvider,omitzero"`
		Workspace        workspaceOptions   `json:"workspace"`
		CodeAction       *codeActionOptions `json:"codeActionProvider,omitzero"`
		CodeLens         *struct{}          `json:"codeLensProvider,omitzero"`
		ExecuteCommand   commandOptions     `json:"executeCommandProvider"`
		Experimental     experimental       `json:"experimental"`
	}
	workspaceOptions struct {
		Folders folderOptions `json:"workspaceFolders"`
	}
	folderOptions struct {
		Supported     bool `json:"supported"`
		Notifications bool `json:"changeNotifications"`
	}
	renameOptions struct {
		Prepare bool `json:"prepareProvider"`
	}
	completionOptions struct {
		TriggerCharacters []string `json:"triggerCharacters"`
		Resolve           bool     `json:"resolveProvider,omitzero"`
	}
	codeActionOptions struct {
		Kinds []string `json:"codeActionKinds"`
	}
	// experimental is for clients that know this server.
	experimental struct {
		Datachain struct {
			// Origin says where schema versions come from.
			Origin string `json:"origin"`
		} `json:"datachain"`
	}
	commandOptions struct {
		Commands []string `json:"commands"`
	}
	syncOptions struct {
		OpenClose bool `json:"openClose"`
		Change    int  `json:"change"`
		Save      bool `json:"save"`
	}
)

// syncFull means that a change has the whole text.
const syncFull = 1

// initialize answers the first request.
func (s *session) initialize(params jsontext.Value) (any, *responseError) {
	if s.state != stateNew {
		return nil, failed(codeInvalidRequest, "The server is already initialized.")
	}
	p, err := decode[initializeParams](params)
	if err != nil {
		return nil, asResponse(s.ctx, err)
	}
	var folders []string
	for _, f := range p.Folders {
		folders = append(folders, f.URI)
	}
	if len(folders) == 0 && p.RootURI != "" {
		folders = []string{p.RootURI}
	}
	opened, err := s.openWorkspace(folders)
	if err != nil {
		return nil, failed(codeRequestFailed, "The schema versions can't be opened: %v.", err)
	}
	s.workspace, s.client, s.state = opened, newClient(p), stateRunning
	s.client.pull = s.client.pull && !s.server.options.Publish
	return initializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   serverInfo{serverName, s.server.options.Version + " with schema versions from " + opened.common.releases.Origin},
	}, nil
}

// capabilities returns what the server can do for the client: all of it works.
func (s *session) capabilities() serverCapabilities {
	c := serverCapabilities{
		PositionEncoding: s.client.encoding,
		TextDocumentSync: syncOptions{OpenClose: true, Change: syncFull, Save: true},
		Completion:       completionOptions{[]string{`"`, ":", "[", "{"}, s.client.resolves},
		Workspace:        workspaceOptions{folderOptions{Supported: true, Notifications: true}},
		Hover:            true, Definition: true, DocumentSymbol: true, InlayHint: true,
		ExecuteCommand: commandOptions{commands()},
	}
	if s.workspace.hasSource() || s.server.options.Folder != nil {
		c.References, c.Rename, c.Formatting = true, &renameOptions{Prepare: true}, !s.client.formats
	}
	if s.client.pull {
		c.Diagnostic = &diagnosticOptions{Identifier: serverName, InterFile: true, Workspace: true}
	}
	if s.client.actions {
		c.CodeAction = &codeActionOptions{[]string{actionQuickFix, actionFixAll, actionRewrite}}
	}
	c.Experimental.Datachain.Origin = s.workspace.common.releases.Origin
	if s.client.lenses && (s.canShowPages() || s.client.createFiles || s.client.applyEdit) { // it can run one of them
		c.CodeLens = new(struct{})
	}
	return c
}

// initialized tells where schema versions come from, and asks the client to watch
// the files of which these may be made.
func (s *session) initialized(*struct{}) error {
	s.mu.Lock()
	for _, r := range s.workspace.roots {
		s.lintAll(r)
	}
	s.scanAll()
	s.mu.Unlock()
	s.logOrigins()
	if s.client.watch {
		s.watch()
	}
	return nil
}

// method is a method of the protocol: a notification or a request.
type method struct {
	notify  func(s *session, params jsontext.Value) error
	request func(s *session, params jsontext.Value) (answerFunc, error)
	// background is set for a request that waits for work in the background.
	background bool
}

// answerFunc answers a request, concurrently with others. It ends with the error of
// the context soon after that is canceled.
type answerFunc func(ctx context.Context) (any, error)

// methods returns the methods that the server has, besides initialize, shutdown and
// exit.
func methods() map[string]method {
	return map[string]method{
		"initialized":                     on((*session).initialized),
		"$/cancelRequest":                 on((*session).cancelRequest),
		"textDocument/didOpen":            on((*session).didOpen),
		"textDocument/didChange":          on((*session).didChange),
		"textDocument/didSave":            on((*session).didSave),
		"textDocument/didClose":           on((*session).didClose),
		"workspace/didChangeWatchedFiles": on((*session).didChangeWatchedFiles),

		"workspace/didChangeWorkspaceFolders": on((*session).didChangeFolders),

		"workspace/executeCommand":    {request: (*session).executeCommand},
		"textDocument/codeAction":     about((*query).actions, (*sourceQuery).actions),
		"textDocument/codeLens":       about((*query).lenses, nil),
		"textDocument/completion":     about((*query).completion, (*sourceQuery).completion),
		"completionItem/resolve":      {request: (*session).resolveItem},
		"textDocument/definition":     about((*query).definition, (*sourceQuery).definition),
		"textDocument/references":     inWorkspace(about((*query).references, (*sourceQuery).references)),
		"textDocument/prepareRename":  about((*query).prepareRename, (*sourceQuery).prepareRename),
		"textDocument/rename":         inWorkspace(about((*query).rename, (*sourceQuery).rename)),
		"textDocument/diagnostic":     {request: (*session).pullDiagnostics},
		"workspace/diagnostic":        {request: (*session).pullWorkspace, background: true},
		"textDocument/documentSymbol": about((*query).symbols, (*sourceQuery).symbols),
		"textDocument/formatting":     about(nil, (*sourceQuery).formatting),
		"textDocument/hover":          about((*query).hover, (*sourceQuery).hover),
		"textDocument/inlayHint":      about((*query).hints, nil),
	}
}

// inWorkspace is a request about all documents of the workspace, which may still be read.
func inWorkspace(m method) method {
	m.background = true
	return m
}

// on is a notification.
func on[P any](handle func(*session, *P) error) method {
	return method{notify: func(s *session, params jsontext.Value) error {
		p, err := decode[P](params)
		if err != nil {
			return err
		}
		return handle(s, p)
	}}
}

// inDocument is implemented by the params of requests about a document.
type inDocument interface{ document() string }

// about is a request about an open document, or about an open file of the source if that is
// not nil. Documents that the server does not recognize get the answer null.
func about[P any, PP interface {
	*P
	inDocument
}](answer func(q *query, ctx context.Context, p *P) (any, error), inSource func(q *sourceQuery, ctx context.Context, p *P) (any, error)) method {
	return method{request: func(s *session, params jsontext.Value) (answerFunc, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		doc, err := s.mustBeOpen(PP(p).document())
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) {
			switch {
			case doc.text.tooLarge > 0:
				return nil, nil
			case doc.file.root != nil && inSource != nil:
				q, err := s.newSourceQuery(doc)
				if err != nil {
					return nil, err
				}
				return inSource(q, ctx, p)
			case !doc.recognized || answer == nil:
				return nil, nil
			}
			q, err := newQuery(ctx, s, doc)
			if err != nil {
				return nil, err
			}
			return answer(q, ctx, p)
		}, nil
	}}
}
