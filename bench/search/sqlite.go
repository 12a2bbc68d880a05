package main

import (
	"database/sql"
	"fmt"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"github.com/datachain-go/datachain/taxonomy"
)

type sqliteIndex struct {
	db          *sql.DB
	best, count *sql.Stmt
	ids         []string // by rowid
}

func buildSQLite(r *taxonomy.Release) (index, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("opening SQLite: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	x := &sqliteIndex{db: db}
	if err := x.load(r); err != nil {
		return nil, fmt.Errorf("indexing with SQLite: %w", err)
	}
	if x.best, err = db.Prepare(`SELECT rowid FROM elements WHERE elements MATCH ? ORDER BY rank LIMIT ?`); err != nil {
		return nil, fmt.Errorf("preparing SQLite: %w", err)
	}
	if x.count, err = db.Prepare(`SELECT count(*) FROM elements WHERE elements MATCH ?`); err != nil {
		return nil, fmt.Errorf("preparing SQLite: %w", err)
	}
	return x, nil
}

// load fills the table in one transaction and merges its parts into one.
func (x *sqliteIndex) load(r *taxonomy.Release) error {
	tx, err := x.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // does nothing after the commit
	_, err = tx.Exec(`CREATE VIRTUAL TABLE elements USING fts5(title, description, content='', tokenize='unicode61')`)
	if err != nil {
		return err
	}
	insert, err := tx.Prepare(`INSERT INTO elements(rowid, title, description) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	for i, e := range r.Elements() {
		t := textOf(e)
		if _, err := insert.Exec(i, t.Title, t.Description); err != nil {
			return err
		}
		x.ids = append(x.ids, e.ID)
	}
	// Sorting by rank is faster than by a call of bm25, so this is the rank.
	if _, err := tx.Exec(`INSERT INTO elements(elements, rank) VALUES ('rank', 'bm25(3.0, 1.0)')`); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO elements(elements) VALUES ('optimize')`); err != nil {
		return err
	}
	return tx.Commit()
}

func (x *sqliteIndex) search(q *query, visit func(id string)) (int, error) {
	match := `"` + strings.Join(q.words, `" OR "`) + `"`
	total := 0
	if err := x.count.QueryRow(match).Scan(&total); err != nil {
		return 0, fmt.Errorf("counting %q with SQLite: %w", q.text, err)
	}
	rows, err := x.best.Query(match, top)
	if err != nil {
		return 0, fmt.Errorf("searching %q with SQLite: %w", q.text, err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return 0, fmt.Errorf("searching %q with SQLite: %w", q.text, err)
		}
		visit(x.ids[id])
	}
	return total, rows.Err()
}

func (x *sqliteIndex) outside() (int64, error) {
	var pages, size int64
	if err := x.db.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		return 0, err
	}
	if err := x.db.QueryRow(`PRAGMA page_size`).Scan(&size); err != nil {
		return 0, err
	}
	return pages * size, nil
}

func (x *sqliteIndex) close() error { return x.db.Close() }
