// Package theme turns a palette into the styles of the screen.
//
// A palette names a dozen colours; [New] makes [Styles] of it, whose fields are
// named by the role that they play ("Score", "Rule"), never by a colour. Panes
// know roles only. One palette also gives the style of rendered markdown and
// the marks that are laid over it, so that a theme is decided in one place.
//
// Nothing here sets the background of the screen: a transparent terminal stays
// transparent. Nothing means something by colour alone: where colours are
// missing, bold, underline and reverse take their place.
package theme
