module shoal

go 1.26
