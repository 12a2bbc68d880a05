module github.com/datachain-go/datachain/adapters/redisshare

go 1.26.0

// Only a commit that is released has no replacements.
replace github.com/datachain-go/datachain => ../..

require (
	github.com/datachain-go/datachain v0.0.0-00010101000000-000000000000
	github.com/redis/go-redis/v9 v9.23.0
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
