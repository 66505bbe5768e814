package main

import "testing"

func TestTheBackgroundThatATerminalNames(t *testing.T) {
	for text, light := range map[string]bool{
		"": false, "15;0": false, "0;15": true, "0;7": true, "15;8": false, "0;default;15": true, "12;8": false,
		"15": false, "0;default": false, ";": false, "0;99": false,
	} {
		if got := isLightGround(text); got != light {
			t.Errorf("%q is light: %v", text, got)
		}
	}
}
