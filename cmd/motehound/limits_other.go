//go:build !unix

package main

func takeLimitsAsErrors() {}
