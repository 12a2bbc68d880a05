module github.com/datachain-go/datachain/bench

go 1.26.0

replace github.com/datachain-go/datachain => ../

require github.com/datachain-go/datachain v0.0.0

require github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
