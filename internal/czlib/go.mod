module github.com/DataDog/czlib

go 1.26
