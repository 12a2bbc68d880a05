package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

func main() {
	log.SetFlags(0)
	role := flag.String("role", "", "which server to be; for this program itself")
	out := flag.String("out", "", "the file to write; standard output if empty")
	rounds := flag.Int("rounds", 6, "how often each server is asked for each answer")
	each := flag.Duration("each", time.Second, "how long that takes each time, in whole seconds with wrk")
	connections := flag.Int("connections", 32, "how many connections ask at once")
	only := flag.String("only", "", "a part of the names of the answers to ask for; all if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *role != "" {
		err = serveAs(*role)
	} else {
		err = run(ctx, *out, *only, *rounds, &load{connections: *connections, each: *each})
	}
	if err != nil {
		stop()
		log.Fatal(err) //nolint:gocritic // stopped
	}
}

// run measures and writes the page.
func run(ctx context.Context, out, only string, rounds int, l *load) (err error) {
	if rounds < 1 || l.each < time.Second || l.connections < 1 {
		return errors.New("-rounds and -connections are 1 or more, and -each is 1s or more")
	}
	if l.wrk, err = exec.LookPath("wrk"); err != nil {
		log.Print("wrk is not installed (apt-get install wrk): the load comes from this program, which takes more of the processor")
	}
	ours, err := startSelf(ctx, "ours", nil)
	if err != nil {
		return err
	}
	candidates := []*candidate{ours}
	defer func() {
		for _, c := range candidates {
			c.stop()
		}
	}()
	cases, err := record(ctx, ours.url, only)
	if err != nil {
		return err
	}
	for _, start := range []func() (*candidate, error){
		func() (*candidate, error) { return startSelf(ctx, "ours, logging", nil) },
		func() (*candidate, error) { return startSelf(ctx, "bare", cases) },
		func() (*candidate, error) { return startSelf(ctx, "bare, paced", cases) },
		func() (*candidate, error) { return startNginx(ctx, cases) },
	} {
		c, err := start()
		if errors.Is(err, exec.ErrNotFound) {
			log.Print("nginx is not installed (apt-get install nginx-light): it is left out")
			continue
		}
		if err != nil {
			return err
		}
		candidates = append(candidates, c)
	}
	results, err := measure(ctx, candidates, cases, rounds, l)
	if err != nil {
		return err
	}
	text := page(ctx, candidates, results, rounds, l)
	if out == "" {
		_, err = os.Stdout.WriteString(text)
		return err
	}
	return os.WriteFile(out, []byte(text), 0o644)
}
