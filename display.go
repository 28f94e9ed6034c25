//go:build !ci

package main

/*
// Windows calls OpenGL in a way of its own, which differs on 32 bits alone.
static const char *say(void *ask, unsigned int what) {
	return (const char *)((const unsigned char *(*)(unsigned int))ask)(what);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-gl/glfw/v3.4/glfw"
)

// windowProgram is the program that opens windows: this one.
func windowProgram() string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	return program
}

// The names of OpenGL for what it tells of itself.
const (
	glVendor   = 0x1F00
	glRenderer = 0x1F01
	glVersion  = 0x1F02
)

// display says what windows are drawn by. It opens one that nobody sees, as the
// window's library will; that is to be called by the first thread alone.
func display() (by string, err error) {
	defer func() {
		if p := recover(); p != nil { // the binding panics where it knows no error
			err = fmt.Errorf("%v", p)
		}
	}()
	if err := glfw.Init(); err != nil {
		return "", err
	}
	defer glfw.Terminate()
	if glES {
		glfw.WindowHint(glfw.ClientAPI, glfw.OpenGLESAPI)
	}
	glfw.WindowHint(glfw.ContextVersionMajor, 2)
	glfw.WindowHint(glfw.ContextVersionMinor, glMinor)
	glfw.WindowHint(glfw.Visible, glfw.False)
	w, err := glfw.CreateWindow(16, 16, "Retrace", nil, nil)
	if err != nil {
		return "", err
	}
	defer w.Destroy()
	w.MakeContextCurrent()
	defer glfw.DetachCurrentContext()
	ask := glfw.GetProcAddress("glGetString")
	if ask == nil {
		return "", errors.New("its OpenGL does not tell what it is")
	}
	var said []string
	for _, what := range []C.uint{glVersion, glRenderer, glVendor} {
		said = append(said, C.GoString(C.say(ask, what)))
	}
	by = strings.Join(said, ", ")
	if !strings.Contains(said[0], "OpenGL") {
		by = "OpenGL " + by
	}
	return by, nil
}
