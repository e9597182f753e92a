module shoal

go 1.26.0

require (
	github.com/emicklei/dot v1.10.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/arch v0.33.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
