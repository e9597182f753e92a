module shoal

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	golang.org/x/arch v0.33.0 // indirect
)
