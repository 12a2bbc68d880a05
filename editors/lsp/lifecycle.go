package lsp

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// initializeParams are the parts of the params of initialize that the server reads.
// A client may omit any of them.
type initializeParams struct {
	Locale  string       `json:"locale"`
	RootURI string       `json:"rootUri"`
	Folders []documentID `json:"workspaceFolders"`
	Options struct {
		// Locale overrides the language of the editor.
		Locale string `json:"locale"`
		// Pictures overrides whether hovers have pictures.
		Pictures *bool `json:"pictures"`
	} `json:"initializationOptions"`
	Capabilities capabilities `json:"capabilities"`
}

// capabilities are those of a client, as it sent them.
type capabilities object

// at returns the capability at a path such as textDocument.codeLens, or nil.
func (c capabilities) at(path string) any {
	var at any = object(c)
	for name := range strings.SplitSeq(path, ".") {
		around, _ := at.(object)
		at = around[name]
	}
	return at
}

// supports reports whether a capability is there, and not false.
func (c capabilities) supports(path string) bool {
	at := c.at(path)
	return at != nil && at != false
}

// lists reports whether a capability is a list that has an item.
func (c capabilities) lists(path, item string) bool {
	list, _ := c.at(path).([]any)
	return slices.Contains(list, any(item))
}

// client is what the server knows of a client.
type client struct {
	encoding encoding
	// locale is the language that the settings of the server name, or "", and
	// editor that of the editor.
	locale, editor string
	// related is set if diagnostics can have related places.
	related bool
	// watch is set if the client can be asked to watch files.
	watch bool
	// documentChanges is set if edits can name the version of a text.
	documentChanges bool
	// createFiles is set if the server can ask for edits that create files.
	createFiles bool
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
	// symbolTree is set if symbols can have children.
	symbolTree bool
	// actions is set if code actions can have edits.
	actions bool
	// lenses is set if the client shows code lenses, and showDocument if it can
	// open URIs in a browser.
	lenses, showDocument bool
}

// pictureParser is the Markdown parser of the editors that show pictures in hovers:
// Visual Studio Code and those in browsers. Terminals would show long data URIs.
const pictureParser = "marked"

func newClient(p *initializeParams) client {
	has, lists := p.Capabilities.supports, p.Capabilities.lists
	const edits, item = "workspace.workspaceEdit", "textDocument.completion.completionItem"
	c := client{
		encoding:        utf16Encoding,
		locale:          p.Options.Locale,
		editor:          p.Locale,
		related:         has("textDocument.publishDiagnostics.relatedInformation"),
		watch:           has("workspace.didChangeWatchedFiles.dynamicRegistration"),
		documentChanges: has(edits + ".documentChanges"),
		applyEdit:       has("workspace.applyEdit"),
		markdown:        lists("textDocument.hover.contentFormat", "markdown"),
		markdownItems:   lists(item+".documentationFormat", "markdown"),
		snippets:        has(item + ".snippetSupport"),
		labelDetails:    has(item + ".labelDetailsSupport"),
		symbolTree:      has("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"),
		actions:         has("textDocument.codeAction.codeActionLiteralSupport"),
		lenses:          has("textDocument.codeLens"),
		showDocument:    has("window.showDocument.support"),
		pictures:        p.Capabilities.at("general.markdown.parser") == pictureParser,
	}
	c.createFiles = c.documentChanges && c.applyEdit && lists(edits+".resourceOperations", "create")
	if p.Options.Pictures != nil {
		c.pictures = *p.Options.Pictures
	}
	offered, _ := p.Capabilities.at("general.positionEncodings").([]any)
	for _, name := range offered {
		if name == string(utf8Encoding) || name == string(utf16Encoding) {
			c.encoding = encoding(name.(string)) //nolint:errcheck // it is one of these
			break
		}
	}
	return c
}

// localesOf returns the languages of a document for its user, the preferred one first: that
// of the settings, of the folder, and of the editor.
func (s *session) localesOf(at address) (list []string) {
	s.mu.Lock()
	f := s.workspace.folderOf(at)
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
	return object{
		"capabilities": s.capabilities(),
		"serverInfo": object{
			"name": serverName, "version": s.server.options.Version + " with schema versions from " + opened.common.Origin,
		},
	}, nil
}

// capabilities returns what the server can do for the client.
func (s *session) capabilities() object {
	const wholeText = 1 // what a change has
	c := object{
		"positionEncoding":       s.client.encoding,
		"textDocumentSync":       object{"openClose": true, "change": wholeText, "save": true},
		"completionProvider":     object{"triggerCharacters": []string{`"`, ":", "[", "{"}},
		"workspace":              object{"workspaceFolders": object{"supported": true, "changeNotifications": true}},
		"hoverProvider":          true,
		"definitionProvider":     true,
		"documentSymbolProvider": true,
		"inlayHintProvider":      true,
		"executeCommandProvider": object{"commands": commandNames()},
		"experimental":           object{"datachain": object{"origin": s.workspace.common.Origin}}, // for clients that know this server
	}
	if s.client.actions {
		c["codeActionProvider"] = object{"codeActionKinds": []string{actionQuickFix, actionFixAll, actionRewrite}}
	}
	if s.client.lenses && (s.canShowPages() || s.client.createFiles || s.client.applyEdit) { // it can run one of them
		c["codeLensProvider"] = object{}
	}
	return c
}

// initialized tells where schema versions come from, and asks the client to watch files
// that can be parts of a source. If a directory is removed, clients report only that.
func (s *session) initialized(jsontext.Value) error {
	s.mu.Lock()
	for _, r := range s.workspace.releases {
		s.lintAll(r)
	}
	s.mu.Unlock()
	s.logOrigins()
	if s.client.watch {
		const deleted = 4 // the kind of changes to watch for
		s.ask("client/registerCapability", object{"registrations": []object{{
			"id": "watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": object{"watchers": []object{
				{"globPattern": "**/*.{yaml,yml,json,svg}"}, {"globPattern": "**", "kind": deleted},
			}},
		}}})
	}
	return nil
}
